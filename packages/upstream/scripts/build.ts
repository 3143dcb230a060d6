import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Builds dist/, the only part that is published, with its own manifest: `npm publish packages/upstream/dist`. */
rmSync(at("dist"), { recursive: true, force: true });
execFileSync(process.execPath, [at("../../node_modules/typescript/bin/tsc"), "-p", at("src/tsconfig.json")], {
  stdio: "inherit",
});
const { private: _private, scripts: _scripts, devDependencies: _tools, ...published } = manifest;
const exports = { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" };
writeFileSync(at("dist/package.json"), `${JSON.stringify({ ...published, exports }, null, 2)}\n`);
copyFileSync(at("LICENSE"), at("dist/LICENSE"));
copyFileSync(at("README.md"), at("dist/README.md"));
