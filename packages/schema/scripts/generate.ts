import { readFile, writeFile } from "node:fs/promises";
import { migrations } from "../src/index.ts";
import { addDigests } from "./add-digests.ts";
import { digestMigrations } from "./digest-migrations.ts";

const released = new URL("../test/released.ts", import.meta.url);

await writeFile(released, addDigests(await readFile(released, "utf8"), await digestMigrations(migrations)));
