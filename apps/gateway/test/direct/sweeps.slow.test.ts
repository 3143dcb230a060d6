import "../support/call-directly.ts";
import { readdir } from "node:fs/promises";
import { describe } from "vitest";

const folder = new URL("../sweep/", import.meta.url);
const suites = (await readdir(folder)).filter((name) => name.endsWith(".test.ts"));

/** Every sweep, unchanged, at the direct address of the service that it sweeps. Those of the gateway's own services ask at the gateway. */
describe.each(suites)("at its direct address, %s", async (name) => {
  await import(new URL(name, folder).href);
});
