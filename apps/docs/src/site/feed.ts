import { escapeHtml } from "../html/escape-html.ts";
import { slugOf } from "../markdown/headings.ts";
import type { MarkdownRenderer } from "../markdown/render-markdown.ts";
import type { Page } from "../pages/page.ts";

/** The changelog as an Atom feed (RFC 4287), an entry for each day. Links are relative without a site address. */
export function createFeed(
  changelog: Page,
  { render, siteUrl }: { render: MarkdownRenderer; siteUrl: string | null },
): string {
  const [, ...days] = changelog.markdown.split(/^## /m);
  const base = siteUrl ?? "";
  const entries = days.map((text) => {
    const [title = "", ...lines] = text.split("\n");
    const day = /\d{4}-\d{2}-\d{2}/.exec(title)?.[0];
    if (day === undefined) {
      throw new Error(`CHANGELOG.md has the heading ${title}: it must name its day, as 2026-11-22.`);
    }
    const { html } = render(lines.join("\n"), (href) => href);
    return {
      updated: `${day}T00:00:00Z`,
      xml: `<entry>
<title>${escapeHtml(title)}</title>
<id>tag:gateway.example,2026:changelog/${slugOf(title)}</id>
<updated>${day}T00:00:00Z</updated>
<link href="${base}changelog.html#${slugOf(title)}"/>
<content type="html">${escapeHtml(html)}</content>
</entry>`,
    };
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Gateway changelog</title>
<id>tag:gateway.example,2026:changelog</id>
<author><name>Gateway</name></author>
<updated>${entries[0]?.updated ?? ""}</updated>
<link rel="self" href="${base}changelog.xml"/>
<link href="${base}changelog.html"/>
${entries.map(({ xml }) => xml).join("\n")}
</feed>
`;
}
