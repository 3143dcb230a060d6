import { parseArgs } from "node:util";
import { siteFolder } from "./folders.ts";
import { buildSite } from "./site/build-site.ts";
import { hashInputs } from "./site/hash-inputs.ts";
import { writeSite } from "./site/write-site.ts";

/** `npm run build -w apps/docs [-- --site-url https://docs.example.com/] [--out folder]` */
const { values } = parseArgs({ options: { "site-url": { type: "string" }, out: { type: "string" } } });

try {
  // Before anything is read: a change during the build makes it stale.
  const inputs = await hashInputs();
  const { pages, files } = await buildSite({ siteUrl: withSlash(values["site-url"]) });
  await writeSite(values.out ?? siteFolder, files, inputs);
  console.log(`${pages.length} pages, ${files.size} files in ${values.out ?? "apps/docs/dist"}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function withSlash(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url.endsWith("/") ? url : `${url}/`).href;
}
