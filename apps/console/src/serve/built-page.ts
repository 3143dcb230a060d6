import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

/** The compressions of an asset, best first, written by the build. */
export const compressedEndings = { br: ".br", gzip: ".gz" } as const;

export type Asset = { content: Buffer; type: string; encoding: keyof typeof compressedEndings | null };

/** The page as it was built. A missing file is null: a build may replace the folder at any time. */
export interface BuiltPage {
  /** For a request's path: with the place of the nonce as the build left it, and the files of its screen named. */
  index(path: string): Promise<string | null>;
  /** `path` as requested, not decoded: only plain names are found. `accepted`: the request's `Accept-Encoding`. */
  asset(path: string, accepted: string): Promise<Asset | null>;
}

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

export function createBuiltPage(folder: string): BuiltPage {
  return {
    index: async (path) => {
      const document = (await readIfFile(join(folder, "index.html")))?.toString("utf8") ?? null;
      const manifest = await readIfFile(join(folder, ".vite/manifest.json"));
      // The build wrote it.
      return manifest && document
        ? document.replace("</head>", `${preloadsOf(path, JSON.parse(manifest.toString("utf8")) as Manifest)}</head>`)
        : document;
    },
    asset: async (path, accepted) => {
      const type = types[extname(path)];
      if (type === undefined || !plainPath.test(path)) {
        return null;
      }
      for (const encoding of encodingsIn(accepted)) {
        const content = await readIfFile(join(folder, path + compressedEndings[encoding]));
        if (content) {
          return { content, type, encoding };
        }
      }
      const content = await readIfFile(join(folder, path));
      return content && { content, type, encoding: null };
    },
  };
}

type Manifest = Readonly<Record<string, { file: string; imports?: string[] }>>;

/** Preloads program and screen with the document: that saves two round trips. A folder has the name of its path. */
function preloadsOf(path: string, manifest: Manifest): string {
  const [, name = "overview"] = /^\/(\w+)/.exec(path) ?? [];
  const known = filesOf("index.html", manifest);
  const files = filesOf("browser/main.tsx", manifest)
    .union(filesOf(`browser/screens/${name}/screen.tsx`, manifest))
    .difference(known);
  return Array.from(files, (file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join("");
}

/** Of a module and all that it imports before it runs. */
function filesOf(key: string, manifest: Manifest, seen: Set<string> = new Set()): Set<string> {
  const chunk = manifest[key];
  if (chunk && !seen.has(chunk.file)) {
    seen.add(chunk.file);
    chunk.imports?.forEach((one) => filesOf(one, manifest, seen));
  }
  return seen;
}

/** RFC 9110, 12.5.3. Weights tell no more than yes or no: brotli is always the smaller. */
function encodingsIn(accepted: string): (keyof typeof compressedEndings)[] {
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const listed = accepted.toLowerCase().split(",");
  const names = new Set(listed.filter((one) => !refused.test(one)).map((one) => one.split(";", 1)[0]?.trim()));
  return (["br", "gzip"] as const).filter((encoding) => names.has(encoding));
}

async function readIfFile(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") {
      return null;
    }
    throw error;
  }
}
