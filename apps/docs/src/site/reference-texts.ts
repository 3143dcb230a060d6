import type { Page, ReferencePart } from "../pages/page.ts";
import { referenceTextPath } from "../reference/operation-anchor.ts";
import { relativeHref } from "./links.ts";

export type Text = { path: string; markdown: string };

/**
 * A reference in Markdown, in texts of a size that a reader takes in: the page itself with what holds for all
 * operations and a list of them, a text for each tag with all of its operations, and one for each operation. `rewrite`
 * makes links of the page links of a text.
 */
export function splitReference(
  { path, markdown, parts = [] }: Page,
  rewrite: (markdown: string, to: string) => string,
): Text[] {
  const [intro = ""] = markdown.split(/^## /m, 1);
  const sections = parts.filter(({ kind }) => kind === "section").map((part) => part.markdown);
  const tags = groupByTag(parts);
  const lists = tags.map(({ tag, operations }) => {
    const href = relativeHref(path, `${textPathOf(path, tag)}.md`);
    const items = operations.map((part) => `- [${part.title}](${relativeHref(path, `${textPathOf(path, part)}.md`)})`);
    return [`## [${tag.title}](${href})`, items.join("\n")].join("\n\n");
  });
  return [
    { path, markdown: [rewrite([intro.trim(), ...sections].join("\n\n"), path), ...lists, ""].join("\n\n") },
    ...tags.map(({ tag, operations }) => textOf([tag, ...operations], textPathOf(path, tag), rewrite)),
    ...tags.flatMap(({ operations }) => operations.map((part) => textOf([part], textPathOf(path, part), rewrite))),
  ];
}

type TagOfReference = { tag: ReferencePart; operations: ReferencePart[] };

/** Operations stand behind their tag. */
function groupByTag(parts: readonly ReferencePart[]): TagOfReference[] {
  const tags: TagOfReference[] = [];
  for (const part of parts) {
    if (part.kind === "tag") {
      tags.push({ tag: part, operations: [] });
    } else if (part.kind === "operation") {
      tags.at(-1)?.operations.push(part);
    }
  }
  return tags;
}

/** Where the text of a tag or an operation is, from the root of the site, without an ending. */
export function textPathOf(page: string, { kind, anchor }: Pick<ReferencePart, "kind" | "anchor">): string {
  return referenceTextPath(page, kind === "tag" ? "tag" : "operation", anchor.split("/").at(-1) ?? "");
}

/** Its first heading is that of the text. */
function textOf(
  parts: readonly ReferencePart[],
  path: string,
  rewrite: (markdown: string, to: string) => string,
): Text {
  const whole = parts.flatMap(({ markdown, samples }) => [markdown, samples]).filter((text) => text !== "");
  const levels = (/^#+/.exec(whole[0] ?? "")?.[0].length ?? 1) - 1;
  const raised = whole.join("\n\n").replaceAll(new RegExp(`^#{${levels}}(?=#+ )`, "gm"), "");
  return { path, markdown: `${rewrite(raised, path)}\n` };
}
