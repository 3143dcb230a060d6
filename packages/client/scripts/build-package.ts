import { build } from "esbuild";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup, type Plugin } from "rollup";
import { dts } from "rollup-plugin-dts";
import manifest from "../package.json" with { type: "json" };

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const entries = { index: at("src/index.ts"), webhooks: at("src/webhooks.ts") };
const dependencies = ["openapi-fetch"];

/**
 * Builds dist/, which is everything that is published. It bundles the private workspaces, and leaves openapi-fetch to
 * be installed. Not minified, for debugging. Files move in one by one, so that a concurrent import finds each complete.
 */
export async function buildPackage(): Promise<void> {
  const fresh = await mkdtemp(at(".dist-"));
  try {
    await Promise.all([buildModules(fresh), buildCommonJs(fresh), buildTypes(fresh)]);
    await mkdir(at("dist"), { recursive: true });
    const names = await readdir(fresh);
    await Promise.all(names.map((name) => rename(join(fresh, name), at(`dist/${name}`))));
    const stale = (await readdir(at("dist"))).filter((name) => !names.includes(name));
    await Promise.all(stale.map((name) => rm(at(`dist/${name}`))));
  } finally {
    await rm(fresh, { recursive: true });
  }
}

const common = {
  entryPoints: entries,
  bundle: true,
  platform: "neutral",
  target: "es2022",
  external: dependencies,
  define: { clientVersion: JSON.stringify(manifest.version) },
  logLevel: "warning",
} as const;

async function buildModules(outdir: string): Promise<void> {
  // Code that both entries share is one file, so that their classes are identical.
  await build({ ...common, outdir, splitting: true, chunkNames: "shared-[hash]", format: "esm" });
}

/** For programs that `require`: the entries share no classes, so each may be a separate file. */
async function buildCommonJs(outdir: string): Promise<void> {
  await build({ ...common, outdir, outExtension: { ".js": ".cjs" }, format: "cjs" });
}

/** Resolves workspaces to their sources, because packages stay external. */
const resolveWorkspaces: Plugin = {
  name: "resolve-workspaces",
  resolveId: (specifier) =>
    specifier.startsWith("@gateway/") ? fileURLToPath(import.meta.resolve(specifier)) : undefined,
};

async function buildTypes(dir: string): Promise<void> {
  const bundle = await rollup({
    input: entries,
    external: dependencies,
    plugins: [resolveWorkspaces, dts({ tsconfig: at("src/tsconfig.json") })],
    onwarn: ({ message }) => {
      throw new Error(`The types do not bundle: ${message}`);
    },
  });
  for (const end of ["d.ts", "d.cts"]) {
    await bundle.write({ dir, format: "es", entryFileNames: `[name].${end}`, chunkFileNames: `shared-types.${end}` });
  }
  await bundle.close();
}
