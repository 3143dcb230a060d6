import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const redocly = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const plugin = fileURLToPath(new URL("../plugin.ts", import.meta.url));

export type RunOptions = { files: Readonly<Record<string, object>>; apis?: Record<string, object> };

/** The output of Redocly CLI in a folder of these files. Its exit code is left out. */
export async function runRedocly(args: readonly string[], { files, apis = {} }: RunOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rules-"));
  const preprocessors = {
    "gateway/complete-operations": "on",
    "gateway/copy-values": "on",
    "gateway/path-servers": "on",
  };
  const all = { ...files, "redocly.yaml": { telemetry: "off", plugins: [plugin], preprocessors, apis } };
  try {
    await Promise.all(Object.entries(all).map(([name, file]) => writeFile(join(folder, name), JSON.stringify(file))));
    return await new Promise((resolve) => {
      const options = { cwd: folder, maxBuffer: 16 * 1024 * 1024 };
      execFile(process.execPath, [redocly, ...args], options, (_error, stdout) => resolve(stdout));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
