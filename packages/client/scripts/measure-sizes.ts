import { operations } from "@gateway/contract";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export type Size = { what: string; bytes: number; limitBytes: number };

const folder = fileURLToPath(new URL("../", import.meta.url));

/** An operation adds about 9 bytes to the client, so a new one does not need another limit. */
const mostBytes = 8_000 + 11 * Object.keys(operations).length;

/** The bundled client, minified and gzipped, with openapi-fetch in it, in kB of 1000 bytes. */
export function measureSizes(): Promise<Size[]> {
  return Promise.all([
    measure("all of gateway-api-client, with openapi-fetch", 'export * from "./dist/index.js"', mostBytes),
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
