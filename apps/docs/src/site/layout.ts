import { logoSvg } from "@gateway/design";
import type { Heading } from "../markdown/headings.ts";
import type { Page } from "../pages/page.ts";
import { relativeHref } from "./links.ts";
import { sections, type NavigationGroup } from "./navigation.ts";
import { contentSecurityPolicy } from "../html/content-security-policy.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { icons } from "../html/icons.ts";

/** The names of the files in `assets`, which change with their content. */
export type Assets = {
  stylesheet: string;
  themeScript: string;
  siteScript: string;
  searchScript: string;
  searchIndex: string;
  favicon: string;
  fonts: readonly string[];
};

export type LayoutContext = {
  assets: Assets;
  navigation: readonly NavigationGroup[];
  /** The address of the published site, with a slash at the end, or null when it is unknown. */
  siteUrl: string | null;
  /** The console's address, or null when there is no console. */
  consoleUrl: string | null;
  lastChanges: ReadonlyMap<string, string>;
};

export type LayoutInput = {
  page: Page;
  html: string;
  headings: readonly Heading[];
};

/** A whole page, complete without its script. */
export function renderLayout(input: LayoutInput, context: LayoutContext): string {
  const { page, html, headings } = input;
  return `<!doctype html>
<html lang="en">
<head>
${renderHead(input, context)}
</head>
<body class="page-${page.kind}">
<a class="skip" href="#content">Skip to content</a>
${renderHeader(page, context)}
${renderColumns(page, html, headings, context)}
${renderSearch()}
</body>
</html>
`;
}

function renderHead({ page }: LayoutInput, { assets, siteUrl }: LayoutContext): string {
  const asset = (name: string): string => relativeHref(page.path, `assets/${name}`);
  const title = page.kind === "home" ? "Gateway documentation" : `${page.title} · Gateway`;
  const base = page.kind === "missing" ? `<base href="${siteUrl === null ? "/" : new URL(siteUrl).pathname}">\n` : "";
  const canonical =
    siteUrl === null ? "" : `<link rel="canonical" href="${escapeHtml(siteUrl)}${escapeHtml(page.path)}.html">\n`;
  return `<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(page.description)}">
<title>${escapeHtml(title)}</title>
${base}${canonical}<link rel="icon" type="image/svg+xml" href="${asset(assets.favicon)}">
<link rel="alternate" type="text/markdown" title="This page as Markdown" href="${relativeHref(page.path, `${page.path}.md`)}">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="${relativeHref(page.path, "changelog.xml")}">
<script src="${asset(assets.themeScript)}" data-fonts="${assets.fonts.map(asset).join(" ")}"></script>
<link rel="stylesheet" href="${asset(assets.stylesheet)}">
<script defer src="${asset(assets.siteScript)}" data-search="${asset(assets.searchScript)}" data-index="${asset(assets.searchIndex)}" data-root="${relativeHref(page.path, "index.html").replace(/index\.html$/, "")}"></script>`;
}

function renderHeader(page: Page, { consoleUrl }: LayoutContext): string {
  const links = sections.map(({ section, title, path }) => {
    const isHere =
      section === page.section && (section !== "reference" || path === page.path || page.path.startsWith(`${path}/`));
    return `<a href="${relativeHref(page.path, `${path}.html`)}"${isHere ? ' aria-current="true"' : ""}>${title}</a>`;
  });
  return `<header class="header">
<button class="icon menu-button" type="button" popovertarget="navigation" aria-label="Menu">${icons.menu}</button>
<a class="logo" href="${relativeHref(page.path, "index.html")}">${logoSvg}<span>Gateway</span></a>
<nav class="sections" aria-label="Sections">${links.join("")}</nav>
<button class="search-button" type="button" data-open-search hidden>${icons.search}<span>Search</span><kbd>/</kbd></button>
${consoleUrl === null ? "" : `<a class="console-link" href="${escapeHtml(consoleUrl)}/">Console</a>\n`}<button class="icon theme-button" type="button" data-toggle-theme hidden aria-label="Light or dark">${icons.theme}</button>
</header>`;
}

function renderColumns(page: Page, html: string, headings: readonly Heading[], context: LayoutContext): string {
  return `<div class="columns">
${renderNavigation(page, context.navigation)}
<main id="content" tabindex="-1">
<article>
${html}</article>
${renderFooter(page, context)}
</main>
${renderContents(headings)}
</div>`;
}

function renderNavigation(page: Page, navigation: readonly NavigationGroup[]): string {
  const groups = navigation.map(({ title, pages }) => {
    const shown = pages.filter((one) => isShown(one, page));
    const items = shown.map((one) => {
      const isHere = one.path === page.path;
      const link = `<a href="${relativeHref(page.path, `${one.path}.html`)}"${isHere ? ' aria-current="page"' : ""}>${breakable(one.title)}</a>`;
      return `<li class="of-${one.kind}">${link}${isHere ? renderOutline(page) : ""}</li>`;
    });
    return `<h2>${title}</h2>\n<ul>${items.join("")}</ul>`;
  });
  return `<nav id="navigation" class="navigation" popover aria-label="Pages">
${groups.join("\n")}
</nav>`;
}

/** The page of a tag shows samples instead of a table of contents, so the menu lists its operations. */
function renderOutline({ parts = [] }: Page): string {
  const items = parts.map(({ anchor, title }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(title)}</a></li>`);
  return items.length === 0 ? "" : `<ul class="outline">${items.join("")}</ul>`;
}

/** A code or an event type may break after each of its words. */
function breakable(title: string): string {
  return escapeHtml(title).replaceAll(/[_.](?=\w)/g, "$&<wbr>");
}

/** The long lists (tags, events, states, errors) show only their index page outside of themselves. */
function isShown(one: Page, here: Page): boolean {
  return one.section === here.section || !/^(?:tag|event|states|error)$/.test(one.kind) || one.path.endsWith("/index");
}

function renderContents(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ level }) => level <= 3)
    .map(
      ({ id, level, text }) => `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
    );
  return items.length < 2
    ? ""
    : `<nav class="contents" aria-labelledby="contents-title"><h2 id="contents-title">On this page</h2><ul>${items.join("")}</ul></nav>`;
}

function renderFooter(page: Page, { navigation, lastChanges }: LayoutContext): string {
  const day = lastChanges.get(page.path) ?? "";
  const all = navigation.flatMap(({ pages }) => pages);
  const index = all.findIndex(({ path }) => path === page.path);
  const step = (to: Page | undefined, label: string, rel: string): string =>
    to && index >= 0
      ? `<a rel="${rel}" href="${relativeHref(page.path, `${to.path}.html`)}"><span>${label}</span>${escapeHtml(to.title)}</a>`
      : "<span></span>";
  return `<footer class="footer">
<nav class="steps" aria-label="Next and previous">${step(all[index - 1], "Previous", "prev")}${step(all[index + 1], "Next", "next")}</nav>
<p>Last updated <time datetime="${day}">${day}</time> · <a href="${relativeHref(page.path, `${page.path}.md`)}">This page as Markdown</a> · <a href="${relativeHref(page.path, "llms.txt")}">llms.txt</a></p>
</footer>`;
}

function renderSearch(): string {
  return `<dialog class="search" id="search" aria-label="Search">
<form method="dialog">
<input type="search" placeholder="Search the documentation" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<button type="submit" class="search-close">Close</button>
</form>
<ul id="search-results" role="listbox" aria-label="Results"></ul>
<p class="search-status" role="status"></p>
</dialog>`;
}
