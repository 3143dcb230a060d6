import type { Page } from "../pages/page.ts";

export type Text = { path: string; markdown: string };

/** The Markdown of each operation of a tag's page. `rewrite` adapts the page's links to the operation's own file. */
export function createOperationTexts({ parts = [] }: Page, rewrite: (markdown: string, to: string) => string): Text[] {
  return parts.map(({ textPath, markdown, samples }) => {
    const raised = `${markdown}\n\n${samples}`.replaceAll(/^#(?=#+ )/gm, "").trim();
    return { path: textPath, markdown: `${rewrite(raised, textPath)}\n` };
  });
}
