import createMarkdownIt, { type MarkdownIt } from "markdown-it";
import { escapeHtml } from "../html/escape-html.ts";
import { useBlocks } from "./blocks.ts";
import { createHighlighter, renderCodeBlock } from "./code-block.ts";
import { parseCodeInfo } from "./code-info.ts";
import { createDiagramRenderer } from "./diagram.ts";
import { useHeadings, type Heading, type HeadingsEnvironment } from "./headings.ts";

type RenderedMarkdown = { html: string; headings: readonly Heading[] };

/** `resolveLink` throws for a link that leads nowhere. For `anchor` see `useHeadings`. */
export type MarkdownRenderer = (
  text: string,
  resolveLink: (href: string) => string,
  anchor?: string,
) => RenderedMarkdown;

type Environment = HeadingsEnvironment & { resolveLink(href: string): string };

/** Escapes HTML, because the changelog and the document are input too. A block of DOT is drawn. */
export async function createMarkdownRenderer(): Promise<MarkdownRenderer> {
  const highlight = createHighlighter();
  const draw = await createDiagramRenderer();
  const markdown = createMarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.use(useBlocks).use(useHeadings).use(useTables);
  // Our own schemes are resolved while rendering, and a link that leads nowhere throws there.
  markdown.validateLink = () => true;
  markdown.renderer.rules["fence"] = (tokens, index) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    const { language, title } = parseCodeInfo(info);
    return language === "dot" ? draw(content, title ?? "") : renderCodeBlock(content, info, highlight);
  };
  markdown.renderer.rules["link_open"] = (tokens, index, options, env, renderer) => {
    const token = tokens[index];
    // The environment is the one that is passed to `render` below.
    token?.attrSet("href", (env as Environment).resolveLink(String(token.attrGet("href"))));
    return renderer.renderToken(tokens, index, options);
  };
  markdown.renderer.rules["image"] = (tokens, index, _options, env) => {
    const { content = "", attrs } = tokens[index] ?? {};
    const href = String(new Map(attrs).get("src"));
    // The environment is the one that is handed to `render` below.
    return renderPicture(content, (theme) => (env as Environment).resolveLink(`${href}-${theme}`));
  };
  return (text, resolveLink, anchor) => {
    const environment: Environment = { resolveLink, ...(anchor !== undefined && { anchor }) };
    const html = markdown.render(text, environment);
    return { html, headings: environment.headings ?? [] };
  };
}

/** All pictures have one size (tests/console-guides.nightly.test.ts). Only that of the reader's theme is loaded. */
const pictureSize = 'width="1200" height="760"';

function renderPicture(words: string, resolve: (theme: "light" | "dark") => string): string {
  const images = (["light", "dark"] as const).map(
    (theme) =>
      `<img class="of-${theme}" src="${escapeHtml(resolve(theme))}" alt="${escapeHtml(words)}" ${pictureSize} loading="lazy" decoding="async">`,
  );
  return `<span class="picture">${images.join("")}</span>`;
}

/** Lets a wide table scroll by itself, even by keyboard. On a phone a table of fields becomes a list. */
function useTables(markdown: MarkdownIt): void {
  markdown.renderer.rules["table_open"] = (tokens, index) => {
    const firstCell = tokens.slice(index).find(({ type }) => type === "inline")?.content ?? "";
    const name = /^(?:Field|Parameter)$/.test(firstCell) ? "table fields" : "table";
    return `<div class="${name}" role="group" aria-label="Table" tabindex="0"><table>\n`;
  };
  markdown.renderer.rules["table_close"] = () => `</table></div>\n`;
}
