import type { MarkdownIt } from "markdown-it";
import { escapeHtml } from "../html/escape-html.ts";

export type Heading = { level: number; id: string; text: string };

export type HeadingsEnvironment = { anchor?: string; headings?: readonly Heading[] };

/** Forms anchors like GitHub, so that they work in the repository too. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/**
 * Gives each heading except the title a unique id and a link, and collects them in `env.headings`. `env.anchor` becomes
 * the first id and the prefix of the others.
 */
export function useHeadings(markdown: MarkdownIt): void {
  markdown.core.ruler.push("headings", (state) => {
    const headings: Heading[] = [];
    // The environment is the caller's object of this rendering.
    const env = state.env as HeadingsEnvironment;
    for (const [index, token] of state.tokens.entries()) {
      const inline = state.tokens[index + 1];
      if (token.type === "heading_open" && token.tag !== "h1" && inline) {
        const text = (inline.children ?? []).map(({ content }) => content).join("");
        const id = uniqueId(idOf(slugOf(text), headings, env.anchor), headings);
        token.attrSet("id", id);
        headings.push({ level: Number(token.tag.slice(1)), id, text });
      }
    }
    env.headings = headings;
  });
  markdown.renderer.rules["heading_close"] = (tokens, index) => {
    const token = tokens[index];
    const open = tokens.slice(0, index).findLast(({ type }) => type === "heading_open");
    const id = open?.attrGet("id")?.toString() ?? null;
    const label = `Link to: ${tokens[index - 1]?.content.replaceAll("`", "") ?? ""}`;
    const link =
      id === null
        ? ""
        : ` <a class="anchor" href="#${escapeHtml(id)}" aria-label="${escapeHtml(label)}"><span aria-hidden="true">#</span></a>`;
    return `${link}</${token?.tag ?? "h2"}>\n`;
  };
}

function idOf(slug: string, before: readonly Heading[], anchor: string | undefined): string {
  if (anchor === undefined) {
    return slug;
  }
  return before.length === 0 ? anchor : `${anchor}/${slug}`;
}

function uniqueId(slug: string, taken: readonly Heading[]): string {
  const isTaken = (id: string): boolean => taken.some((heading) => heading.id === id);
  let id = slug;
  for (let count = 1; isTaken(id); count += 1) {
    id = `${slug}-${count}`;
  }
  return id;
}
