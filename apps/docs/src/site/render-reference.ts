import { escapeHtml } from "../html/escape-html.ts";
import type { OperationPart, Page } from "../pages/page.ts";

/** The page of a tag. The samples come last in the text, so that on a narrow screen nothing moves. */
export function renderReference(
  { markdown, parts = [] }: Page,
  { render, consoleUrl }: { render(text: string, anchor?: string): string; consoleUrl: string | null },
): string {
  const [intro = ""] = markdown.split(/^## /m, 1);
  const sections = parts.map((part) => {
    const aside = `<div class="samples">\n${renderTry(part, consoleUrl)}${render(part.samples)}</div>\n`;
    return `<section class="part">\n<div class="said">\n${render(part.markdown, part.anchor)}</div>\n${aside}</section>\n`;
  });
  return render(intro) + sections.join("");
}

/** A link and no more: the page stays as static as it is, and the console asks who one is before it sends anything. */
function renderTry({ operationId, title, isTried }: OperationPart, consoleUrl: string | null): string {
  return !isTried || consoleUrl === null
    ? ""
    : `<p class="try"><a href="${escapeHtml(`${consoleUrl}/try/${operationId}`)}" aria-label="${escapeHtml(`Try it: ${title}`)}">Try it</a></p>\n`;
}
