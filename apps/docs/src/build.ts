import { parseArgs } from "node:util";
import { siteFolder } from "./folders.ts";
import { buildSite, type Addresses } from "./site/build-site.ts";
import { hashSiteInputs } from "./site/hash-inputs.ts";
import { writeSite } from "./site/write-site.ts";

/**
 * `npm run build -w apps/docs [-- --site-url https://docs.example.com/] [--addresses
 * '{"gatewayUrl":"...","authUrl":"...","consoleUrl":"..."}'] [--out folder]`
 */
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { "site-url": text, addresses: text, out: text } });

try {
  // Before anything is read: a change during the build makes it stale.
  const addresses = values.addresses === undefined ? null : (JSON.parse(values.addresses) as Addresses);
  const inputs = await hashSiteInputs(addresses);
  const { pages, files } = await buildSite({ siteUrl: withSlash(values["site-url"]), addresses });
  await writeSite(values.out ?? siteFolder, files, inputs);
  console.log(`${pages.length} pages, ${files.size} files in ${values.out ?? "apps/docs/dist"}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function withSlash(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url.endsWith("/") ? url : `${url}/`).href;
}
