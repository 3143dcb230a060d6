import { createMarkdownRenderer, type MarkdownRenderer } from "../markdown/render-markdown.ts";
import { createErrorPages } from "../pages/error-pages.ts";
import { createEventPages } from "../pages/event-pages.ts";
import type { Page } from "../pages/page.ts";
import { createReferencePages } from "../pages/reference-pages.ts";
import { readWrittenPages } from "../pages/written-pages.ts";
import { readApiDocuments, type ApiDocument } from "../reference/api-document.ts";
import { renderReference, type Reference } from "../reference/render-reference.ts";
import { addAsset, bundleAssets, type SiteFiles } from "./bundle-assets.ts";
import { headerHeightPx, renderLayout, type LayoutContext } from "./layout.ts";
import { createLinkResolver, relativeHref, rewriteLinks, type LinkResolver } from "./links.ts";
import { createLlmsFull, createLlmsIndex } from "./llms.ts";
import { createNavigation } from "./navigation.ts";
import { createSearchIndex } from "./search-index.ts";

export type SiteOptions = {
  /** Where it will be published, with a slash at the end; null when that is not known. Links never need it. */
  siteUrl: string | null;
};

export type Site = { pages: readonly Page[]; files: SiteFiles };

/** Every file of the site, in memory: the same input gives the same bytes. Rejects when a link leads nowhere. */
export async function buildSite({ siteUrl }: SiteOptions): Promise<Site> {
  const documents = readApiDocuments();
  const pages = await collectPages(documents);
  const files: SiteFiles = new Map();
  const navigation = createNavigation(pages);
  const searchIndex = addAsset(files, "search-index.js", createSearchIndex(pages, documents));
  const context = { assets: { ...(await bundleAssets(files)), searchIndex }, navigation, siteUrl };
  const links = createLinkResolver(pages, documents);
  await addReferences({ documents, pages, files, context });
  addPages({ pages, files, context, links });
  addDownloads({ documents, pages, files, context, links });
  return { pages, files };
}

/** All pages, as Markdown. */
export async function collectPages(documents: readonly ApiDocument[]): Promise<Page[]> {
  const [gateway] = documents;
  if (!gateway) {
    throw new Error("There is no document to make a site of.");
  }
  return [
    ...(await readWrittenPages()),
    ...createReferencePages(documents),
    ...createEventPages(gateway),
    ...(await createErrorPages(gateway)),
  ];
}

type Parts = { pages: readonly Page[]; files: SiteFiles; context: LayoutContext };

async function addReferences({ documents, pages, files, context }: Parts & { documents: readonly ApiDocument[] }) {
  for (const document of documents) {
    const page = pages.find(({ path }) => path === `reference/${document.name}`);
    if (page) {
      files.set(`${page.path}.html`, layOutReference(page, await renderReference(document, headerHeightPx), context));
    }
  }
}

function layOutReference(page: Page, { html, head, scriptSources }: Reference, context: LayoutContext): string {
  const script = `<script defer src="${relativeHref(page.path, `assets/${context.assets.referenceScript}`)}"></script>`;
  const input = { html: `<div id="content" tabindex="-1">${html}</div>`, headings: [], head: head + script };
  return renderLayout({ page, ...input, scriptSources }, context);
}

function addPages({ pages, files, context, links }: Parts & { links: LinkResolver }): void {
  const render: MarkdownRenderer = createMarkdownRenderer();
  for (const page of pages) {
    files.set(`${page.path}.md`, markdownOf(page, links));
    // The HTML of a reference is Redocly's. Its Markdown is rendered all the same, to check its links.
    const rendered = render(page.markdown, (href) => links.toHtml(href, page.path));
    if (page.kind !== "reference") {
      files.set(`${page.path}.html`, renderLayout({ page, ...rendered }, context));
    }
  }
}

function markdownOf(page: Page, links: LinkResolver): string {
  return rewriteLinks(page.markdown, (href) => links.toMarkdown(href, page.path));
}

function addDownloads(parts: Parts & { documents: readonly ApiDocument[]; links: LinkResolver }): void {
  const { documents, pages, files, links } = parts;
  const { navigation, siteUrl } = parts.context;
  for (const { download, openapi } of documents) {
    files.set(`${download}.json`, `${JSON.stringify(openapi, null, 2)}\n`);
  }
  const home = pages.find(({ kind }) => kind === "home");
  if (home) {
    files.set("llms.txt", createLlmsIndex(home, navigation, { documents, siteUrl }));
  }
  const listed = navigation.flatMap((group) => group.pages);
  files.set(
    "llms-full.txt",
    createLlmsFull(listed.map((page) => ({ path: page.path, markdown: markdownOf(page, links) }))),
  );
  if (siteUrl !== null) {
    const urls = [...(home ? [home] : []), ...listed].map(({ path }) => `${siteUrl}${path}.html\n`);
    files.set("sitemap.txt", urls.join(""));
  }
}
