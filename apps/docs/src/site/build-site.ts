import { createMarkdownRenderer, type MarkdownRenderer } from "../markdown/render-markdown.ts";
import { createErrorPages } from "../pages/error-pages.ts";
import { createEventPages } from "../pages/event-pages.ts";
import { readLastChanges } from "../pages/last-changes.ts";
import type { Page } from "../pages/page.ts";
import { putAddresses, type Addresses } from "../pages/put-addresses.ts";
import { createReferencePages } from "../pages/reference-pages.ts";
import { createStatePages } from "../pages/state-pages.ts";
import { readWrittenPages } from "../pages/written-pages.ts";
import { readApiDocuments, type ApiDocument } from "../reference/api-document.ts";
import { addAsset, addPictures, bundleAssets, type SiteFiles } from "./bundle-assets.ts";
import { createFeed } from "./feed.ts";
import { renderLayout, type LayoutContext } from "./layout.ts";
import { createLinkResolver, rewriteLinks, type LinkResolver } from "./links.ts";
import { createLlmsFull, createLlmsIndex } from "./llms.ts";
import { createNavigation } from "./navigation.ts";
import { renderReference } from "./render-reference.ts";
import { createOperationTexts } from "./operation-texts.ts";
import { createSearchIndex } from "./search-index.ts";

export type SiteOptions = {
  /** The address of the published site, with a slash at the end. Null when unknown: links never need it. */
  siteUrl: string | null;
  addresses: Addresses | null;
};

export type { Addresses };

export type Site = { pages: readonly Page[]; files: SiteFiles };

/** Every file of the site, in memory: the same input gives the same bytes. Rejects when a link leads nowhere. */
export async function buildSite({ siteUrl, addresses }: SiteOptions): Promise<Site> {
  const documents = readApiDocuments();
  const written = await collectPages(documents);
  const pages = addresses ? written.map((page) => putAddresses(page, addresses)) : written;
  const files: SiteFiles = new Map();
  const navigation = createNavigation(pages);
  const searchIndex = addAsset(files, "search-index.js", createSearchIndex(pages, documents));
  const context = {
    assets: { ...(await bundleAssets(files)), searchIndex },
    navigation,
    siteUrl,
    consoleUrl: addresses?.consoleUrl ?? null,
    lastChanges: await readLastChanges(pages),
  };
  const links = createLinkResolver(pages, documents, await addPictures(files));
  addPages({ pages, files, context, links, render: await createMarkdownRenderer() });
  addDownloads({ documents, pages, files, context, links });
  return { pages, files };
}

export async function collectPages(documents: readonly ApiDocument[]): Promise<Page[]> {
  const [gateway] = documents;
  if (!gateway) {
    throw new Error("There is no document to make a site of.");
  }
  return [
    ...(await readWrittenPages()),
    ...createReferencePages(documents),
    ...createEventPages(gateway),
    ...createStatePages(gateway),
    ...(await createErrorPages(gateway)),
  ];
}

type Parts = { pages: readonly Page[]; files: SiteFiles; context: LayoutContext };

function addPages({
  pages,
  files,
  context,
  links,
  render,
}: Parts & { links: LinkResolver; render: MarkdownRenderer }): void {
  for (const page of pages) {
    files.set(`${page.path}.md`, markdownOf(page, links));
    const rewrite = (text: string, to: string): string =>
      rewriteLinks(text, (href) => links.toMarkdown(href, page.path, to));
    for (const text of createOperationTexts(page, rewrite)) {
      files.set(`${text.path}.md`, text.markdown);
    }
    const resolveLink = (href: string): string => links.toHtml(href, page.path);
    const rendered = page.parts
      ? {
          html: renderReference(page, {
            render: (text, anchor) => render(text, resolveLink, anchor).html,
            consoleUrl: context.consoleUrl,
          }),
          headings: [],
        }
      : render(page.markdown, resolveLink);
    files.set(`${page.path}.html`, renderLayout({ page, ...rendered }, context));
    if (page.kind === "changelog") {
      files.set(`${page.path}.xml`, createFeed(page, { render, siteUrl: context.siteUrl }));
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
