import { buildSite, type Site } from "../../src/site/build-site.ts";

/** A site that is built once for a test file, because a build takes two seconds. */
export type TestSite = Site & {
  /** The pages as HTML, by path with the ending. */
  html: ReadonlyMap<string, string>;
  text(path: string): string;
};

export async function buildTestSite(siteUrl: string | null = null): Promise<TestSite> {
  const site = await buildSite({ siteUrl, addresses: null });
  const text = (path: string): string => {
    const content = site.files.get(path);
    if (typeof content !== "string") {
      throw new Error(`The site has no text ${path}.`);
    }
    return content;
  };
  const paths = [...site.files.keys()].filter((path) => path.endsWith(".html"));
  return { ...site, text, html: new Map(paths.map((path) => [path, text(path)])) };
}
