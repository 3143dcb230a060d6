import type { Page } from "../pages/page.ts";

/** Operations with their samples beside them. The samples come last in the text, and first on a narrow screen nothing moves. */
export function renderReference(
  { markdown, parts = [] }: Page,
  render: (text: string, anchor?: string) => string,
): string {
  const [intro = ""] = markdown.split(/^## /m, 1);
  const sections = parts.map(({ kind, anchor, markdown: text, samples }) => {
    const aside = samples === "" ? "" : `<div class="samples">\n${render(samples)}</div>\n`;
    return `<section class="part part-${kind}">\n<div class="said">\n${render(text, anchor)}</div>\n${aside}</section>\n`;
  });
  return render(intro) + sections.join("");
}
