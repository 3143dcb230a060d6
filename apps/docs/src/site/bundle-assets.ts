import { listFontFiles, logoSvg, readBaseStylesheet } from "@gateway/design";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { repository, workspace } from "../folders.ts";
import type { Assets } from "./layout.ts";

const pictureFolder = join(repository, "docs/pictures");

/** File contents by path from the root of the site. */
export type SiteFiles = Map<string, string | Uint8Array>;

/** Bundles scripts, styles and fonts into `files`. A name carries a hash, so that it may be cached permanently. */
export async function bundleAssets(files: SiteFiles): Promise<Omit<Assets, "searchIndex">> {
  const [theme, site, search, stylesheet] = await Promise.all([
    bundleScript("theme.ts"),
    bundleScript("site.ts"),
    bundleScript("search.ts"),
    readStylesheet(),
  ]);
  const fontNames = new Map<string, string>();
  for (const { name, file } of listFontFiles()) {
    fontNames.set(name, addAsset(files, name, await readFile(file)));
  }
  return {
    fonts: [...fontNames.values()],
    favicon: addAsset(files, "favicon.svg", logoSvg),
    themeScript: addAsset(files, "theme.js", theme),
    siteScript: addAsset(files, "site.js", site),
    searchScript: addAsset(files, "search.js", search),
    stylesheet: addAsset(files, "site.css", withNames(stylesheet, fontNames)),
  };
}

/** Adds the pictures of the browser tests to `files`, and returns their paths by name, `picture:name-light`. */
export async function addPictures(files: SiteFiles): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const name of (await readdir(pictureFolder)).toSorted()) {
    if (/-(?:light|dark)\.png$/.test(name)) {
      const content = await readFile(join(pictureFolder, name));
      pictures.set(`picture:${basename(name, ".png")}`, `assets/${addAsset(files, name, content)}`);
    }
  }
  return pictures;
}

/** Returns the name with the hash: `site.1f3a9c0d2b.js`. */
export function addAsset(files: SiteFiles, name: string, content: string | Uint8Array): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
  const hashed = name.replace(/(?=\.\w+$)/, `.${hash}`);
  files.set(`assets/${hashed}`, content);
  return hashed;
}

/** Replaces the names of the fonts by their hashed names. The stylesheet is in the same folder. */
function withNames(stylesheet: string, names: ReadonlyMap<string, string>): string {
  return stylesheet.replaceAll(/(?<=url\(")[^"]+(?="\))/g, (name) => names.get(name) ?? name);
}

/** Bundles each as a classic script, because modules do not load from a folder. */
async function bundleScript(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(workspace, "browser", name)],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2023",
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

async function readStylesheet(): Promise<string> {
  const names = ["layout.css", "article.css", "search.css", "reference.css"];
  const texts = await Promise.all(names.map((name) => readFile(join(workspace, "src/styles", name), "utf8")));
  return [readBaseStylesheet(), ...texts].join("\n");
}
