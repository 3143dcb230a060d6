import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export type Size = { what: string; bytes: number; limitBytes: number };

const folder = fileURLToPath(new URL("../", import.meta.url));

/**
 * What a bundler makes of dist/, minified and gzipped, with openapi-fetch in it. A kB has 1000 bytes. All of it was to
 * stay under 9.0 kB; following events and requests took 300 bytes more than there were, for what everyone who follows
 * would write else, and get wrong.
 */
export function measureSizes(): Promise<Size[]> {
  return Promise.all([
    measure("all of gateway-api-client, with openapi-fetch", 'export * from "./dist/index.js"', 9_300),
    measure("createClient alone, with openapi-fetch", 'export { createClient } from "./dist/index.js"', 9_000),
    measure("verifyWebhook alone", 'export { verifyWebhook } from "./dist/webhooks.js"', 1_500),
  ]);
}

async function measure(what: string, contents: string, limitBytes: number): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "warning",
  });
  return { what, bytes: gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length, limitBytes };
}
