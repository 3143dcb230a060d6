import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judgePackage } from "../../client/scripts/judge-package.ts";
import { pack } from "../../client/scripts/pack.ts";

/** What must hold before the package may be published, judged on the tarball of `dist/`, which was built before. */
const folder = await mkdtemp(join(tmpdir(), "gateway-upstream-"));
try {
  const tarball = await pack(folder, fileURLToPath(new URL("../dist/", import.meta.url)));
  const faults = await judgePackage(tarball, { profile: "esm-only" });
  console.log(faults.length === 0 ? "publint and are-the-types-wrong find nothing." : faults.join("\n"));
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
