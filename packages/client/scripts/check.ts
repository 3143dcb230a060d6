import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgePackage } from "./judge-package.ts";
import { measureSizes } from "./measure-sizes.ts";
import { pack } from "./pack.ts";

/** Conditions for publishing the package: its form, checked on the tarball, and its size. */
const folder = await mkdtemp(join(tmpdir(), "gateway-client-"));
try {
  const faults = await judgePackage(await pack(folder));
  for (const { what, bytes, limitBytes } of await measureSizes()) {
    console.log(`${String(bytes).padStart(6)} of ${limitBytes} bytes   ${what}`);
    if (bytes > limitBytes) {
      faults.push(`${what} has ${bytes} bytes, more than ${limitBytes}: scripts/measure-sizes.ts.`);
    }
  }
  console.log(faults.length === 0 ? "publint and are-the-types-wrong find nothing." : faults.join("\n"));
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
