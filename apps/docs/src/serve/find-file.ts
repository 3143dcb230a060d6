import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compressedEndings } from "../site/write-site.ts";

export type Encoding = keyof typeof compressedEndings;

export type FoundFile = { kind: "file"; path: string; content: Buffer; encoding: Encoding | null };
export type Found = FoundFile | { kind: "redirect"; to: string } | null;

/**
 * The file for a path: `/guides/webhooks` is `guides/webhooks.html`, `/errors` leads to `/errors/`. Nothing outside of
 * the folder or with a dot in front is found. A compressed file comes in the first accepted form.
 */
export async function findFile(folder: string, requestPath: string, accepted: readonly Encoding[]): Promise<Found> {
  const path = safePath(requestPath);
  if (path === null) {
    return null;
  }
  const candidates = path === "" || path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
  for (const candidate of candidates) {
    const content = await readIfFile(join(folder, candidate));
    if (content) {
      return {
        kind: "file",
        path: candidate,
        ...((await readCompressed(join(folder, candidate), accepted)) ?? { content, encoding: null }),
      };
    }
  }
  const isFolder = !path.endsWith("/") && path !== "" && (await readIfFile(join(folder, path, "index.html"))) !== null;
  // Relative, so that it holds behind a proxy that adds a prefix.
  return isFolder ? { kind: "redirect", to: `./${path.split("/").at(-1)}/` } : null;
}

async function readCompressed(
  file: string,
  accepted: readonly Encoding[],
): Promise<Pick<FoundFile, "content" | "encoding"> | null> {
  for (const encoding of accepted) {
    const content = await readIfFile(file + compressedEndings[encoding]);
    if (content) {
      return { content, encoding };
    }
  }
  return null;
}

/** From the root of the site, or null when it is not the plain name of a file there. */
function safePath(requestPath: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(requestPath).replace(/^\//, "");
  } catch {
    return null;
  }
  const steps = path.split("/");
  const isPlain = steps.every((step, index) =>
    step === "" ? index === steps.length - 1 : /^[\w-][\w.-]*$/.test(step),
  );
  return isPlain ? path : null;
}

async function readIfFile(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR" || code === "ENAMETOOLONG") {
      return null;
    }
    throw error;
  }
}
