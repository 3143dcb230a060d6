import { readBuiltFile, type BuiltFile } from "@gateway/process";
import { join } from "node:path";

export type FoundFile = BuiltFile & { kind: "file"; path: string };
export type Found = FoundFile | { kind: "redirect"; to: string } | null;

/**
 * The file for a path: `/guides/webhooks` is `guides/webhooks.html`, `/errors` leads to `/errors/`. Nothing outside of
 * the folder or with a dot in front is found. `accepted`: the request's `Accept-Encoding`.
 */
export async function findFile(folder: string, requestPath: string, accepted: string): Promise<Found> {
  const path = safePath(requestPath);
  if (path === null) {
    return null;
  }
  const candidates = path === "" || path.endsWith("/") ? [`${path}index.html`] : [path, `${path}.html`];
  for (const candidate of candidates) {
    const found = await readBuiltFile(join(folder, candidate), accepted);
    if (found) {
      return { kind: "file", path: candidate, ...found };
    }
  }
  const isFolder =
    !path.endsWith("/") && path !== "" && (await readBuiltFile(join(folder, path, "index.html"))) !== null;
  // Relative, so that it holds behind a proxy that adds a prefix.
  return isFolder ? { kind: "redirect", to: `./${path.split("/").at(-1)}/` } : null;
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
