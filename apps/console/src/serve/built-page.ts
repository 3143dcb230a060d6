import { readBuiltFile } from "@gateway/process";
import { extname, join } from "node:path";

export type BuiltPage = ReturnType<typeof createBuiltPage>;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const plainPath = /^(?:\/[\w-][\w.-]*)+$/;

/** The page as it was built. A missing file is null: a build may replace the folder at any time. */
export function createBuiltPage(folder: string) {
  return {
    /**
     * The document for a request's path, with the placeholder of the nonce, and with preloads for the files of its
     * screen.
     */
    index: async (path: string) => {
      const read = async (file: string) => (await readBuiltFile(join(folder, file)))?.content.toString("utf8") ?? null;
      const document = await read("index.html");
      const manifest = await read(".vite/manifest.json");
      // The cast holds because the build wrote it.
      return manifest && document
        ? document.replace("</head>", `${preloadsOf(path, JSON.parse(manifest) as Manifest)}</head>`)
        : document;
    },
    /** `path` as requested, not decoded: only plain names are found. `accepted`: the request's `Accept-Encoding`. */
    asset: async (path: string, accepted: string) => {
      const type = types[extname(path)];
      if (type === undefined || !plainPath.test(path)) {
        return null;
      }
      const found = await readBuiltFile(join(folder, path), accepted);
      return found && { ...found, type };
    },
  };
}

/** The manifest in Vite's format. */
export type Manifest = Readonly<Record<string, { file: string; css?: string[]; imports?: string[] }>>;

/**
 * Preloads the program and the screen with the document, which saves two round trips. A screen's folder has the name of
 * its path.
 */
function preloadsOf(path: string, manifest: Manifest): string {
  const [, name = "overview"] = /^\/(\w+)/.exec(path) ?? [];
  const known = filesOf("index.html", manifest);
  const files = filesOf("browser/main.tsx", manifest)
    .union(filesOf(`browser/screens/${name}/screen.tsx`, manifest))
    .difference(known);
  const scripts = [...files].filter((file) => file.endsWith(".js"));
  return scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join("");
}

/** The files of a module and of everything that it imports before it runs. */
export function filesOf(key: string, manifest: Manifest, seen: Set<string> = new Set()): Set<string> {
  const chunk = manifest[key];
  if (chunk && !seen.has(chunk.file)) {
    [chunk.file, ...(chunk.css ?? [])].forEach((file) => seen.add(file));
    chunk.imports?.forEach((one) => filesOf(one, manifest, seen));
  }
  return seen;
}
