import { escapeHtml } from "../html/escape-html.ts";
import type { Page } from "../pages/page.ts";

/** Operations with their samples beside them. The samples come last in the text, and first on a narrow screen nothing moves. */
export function renderReference(
  { markdown, parts = [] }: Page,
  { render, consoleUrl }: { render(text: string, anchor?: string): string; consoleUrl: string | null },
): string {
  const [intro = ""] = markdown.split(/^## /m, 1);
  const sections = parts.map(({ kind, anchor, title, markdown: text, samples, operationId }) => {
    const aside =
      samples === ""
        ? ""
        : `<div class="samples">\n${renderTry({ operationId, title, consoleUrl })}${render(samples)}</div>\n`;
    return `<section class="part part-${kind}">\n<div class="said">\n${render(text, anchor)}</div>\n${aside}</section>\n`;
  });
  return render(intro) + sections.join("");
}

type Tried = { operationId: string | undefined; title: string; consoleUrl: string | null };

/** A link and no more: the page stays as static as it is, and the console asks who one is before it sends anything. */
function renderTry({ operationId, title, consoleUrl }: Tried): string {
  return operationId === undefined || consoleUrl === null
    ? ""
    : `<p class="try"><a href="${escapeHtml(`${consoleUrl}/try/${operationId}`)}" aria-label="${escapeHtml(`Try it: ${title}`)}">Try it</a></p>\n`;
}
