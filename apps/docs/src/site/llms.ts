import type { Page } from "../pages/page.ts";
import type { ApiDocument } from "../reference/api-document.ts";
import type { NavigationGroup } from "./navigation.ts";

/** The form of llmstxt.org: a title, a summary, and lists of links to the Markdown of each page. */
export function createLlmsIndex(
  home: Page,
  navigation: readonly NavigationGroup[],
  { documents, siteUrl }: { documents: readonly ApiDocument[]; siteUrl: string | null },
): string {
  const base = siteUrl ?? "";
  const groups = navigation.map(({ title, pages }) => {
    const items = pages.map((page) => `- [${page.title}](${base}${page.path}.md): ${page.description}`);
    return [`## ${title}`, "", ...items].join("\n");
  });
  const downloads = documents.map(
    ({ download, openapi }) =>
      `- [${openapi.info.title}, OpenAPI document](${base}${download}.json): the source of the reference, of the checks and of the types`,
  );
  return [
    "# Gateway documentation",
    `> ${home.description}`,
    ...groups,
    ["## Documents", "", ...downloads, `- [Everything in one file](${base}llms-full.txt): all pages above`].join("\n"),
    "",
  ].join("\n\n");
}

export function createLlmsFull(texts: readonly { path: string; markdown: string }[]): string {
  return texts.map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown.trim()}\n`).join("\n---\n\n");
}
