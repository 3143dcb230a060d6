import { join } from "node:path";
import { defineConfig } from "vite";
import { contractModules } from "./src/build/contract-modules.ts";
import { earlyScript, designFiles } from "./src/build/page-plugins.ts";
import { noncePlaceholder } from "./src/serve/page-headers.ts";

const client = join(import.meta.dirname, "../../packages/client/src");

export default defineConfig({
  plugins: [contractModules(), designFiles(), earlyScript()],
  // Builds the served page with any NODE_ENV, such as that of a test.
  define: { [["process", "env", "NODE_ENV"].join(".")]: JSON.stringify("production") },
  oxc: { jsx: { runtime: "automatic", development: false } },
  // The policy lets no page carry its own images or fonts, and the server has no folder of public files.
  publicDir: false,
  html: { cspNonce: noncePlaceholder },
  resolve: {
    // Libraries have other files for development, and their choice would also depend on NODE_ENV.
    conditions: ["module", "browser", "production"],
    // The same as in `paths`: the build uses the source, not the package that was built last.
    alias: [
      { find: /^gateway-api-client\/webhooks$/, replacement: join(client, "webhooks.ts") },
      { find: /^gateway-api-client$/, replacement: join(client, "index.ts") },
    ],
  },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2024",
    manifest: true,
    reportCompressedSize: false,
  },
});
