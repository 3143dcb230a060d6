import { expect, test } from "vitest";
import { createMarkdownRenderer } from "../src/markdown/render-markdown.ts";
import { createLinkResolver } from "../src/site/links.ts";

const render = await createMarkdownRenderer();
const asIs = (href: string): string => href;

test("HTML in a text is shown, not believed", () => {
  const { html } = render("# A\n\n<script>alert(1)</script> <img src=x>\n\n```sh\n<b>\n```", asIs);
  expect(html).not.toMatch(/<(?:script|img|b)\b/);
  expect(html).toContain("&lt;script&gt;");
});

test("blocks of code that follow each other are tabs; a block with text between stands alone", () => {
  const { html } = render("```sh\ncurl a\n```\n\n```ts\n1;\n```\n\nText.\n\n```json\n{}\n```", asIs);
  expect(html.match(/<div class="tabs">|<div class="code" data-label="\w+">|Text\./g)).toEqual([
    '<div class="tabs">',
    '<div class="code" data-label="curl">',
    '<div class="code" data-label="TypeScript">',
    "Text.",
    '<div class="code" data-label="JSON">',
  ]);
});

test("a quotation with [!WARNING] is a callout, and one without stays a quotation", () => {
  const { html } = render("> [!WARNING]\n> Mind *this*.\n\n> Words.", asIs);
  expect(html).toContain('<div class="callout callout-warning" role="note">\n<p>Mind <em>this</em>.</p>\n</div>');
  expect(html).toContain("<blockquote>\n<p>Words.</p>\n</blockquote>");
});

test("a block of DOT is drawn, with a name and without ids, scripts, styles or colours of its own", () => {
  const dot = '```dot title="From <a> to b"\ndigraph {\n  a -> b [label="go\\n<b>"]\n}\n```';
  const { html } = render(`${dot}\n\nWords.\n\n${dot}`, asIs);
  expect(html.match(/<figure class="diagram"><svg role="img" aria-label="From &lt;a&gt; to b" /g)).toHaveLength(2);
  expect(html).toContain("<title>From &lt;a&gt; to b</title>");
  expect(html).toContain("&lt;b&gt;");
  expect(html.match(/<text [^>]*>go<\/text>/g)).toHaveLength(2);
  expect(html).not.toMatch(/ id=| style=|<script|<b>|<pre/);
});

test("a block of DOT that is none breaks the build", () => {
  expect(() => render("```dot\ndigraph {\n```", asIs)).toThrow("syntax error");
});

test("headings have ids that no other has, and a link to themselves", () => {
  const { headings, html } = render("# T\n\n## `GET` it & more\n\n## Same\n\n### Same", asIs);
  expect(headings).toEqual([
    { level: 2, id: "get-it--more", text: "GET it & more" },
    { level: 2, id: "same", text: "Same" },
    { level: 3, id: "same-1", text: "Same" },
  ]);
  expect(html).toContain('href="#get-it--more" aria-label="Link to: GET it &amp; more"');
});

test.each([
  ["./nothing.md", "there is no such page"],
  ["operation:nothing", "which no document has"],
  ["error:NOTHING", "there is no such page"],
  ["errors.html", "link to pages by their .md file"],
  ["javascript:alert(1)", "link to pages by their .md file"],
])("a link to %s breaks the build", (href, message) => {
  const links = createLinkResolver([], []);
  expect(() => render(`# T\n\n[here](${href})`, (to) => links.toHtml(to, "guides/a"))).toThrow(message);
});

test("a picture is there light and dark, with its words and its room from the start; one that is not kept ends the build", () => {
  const links = createLinkResolver(
    [],
    [],
    new Map([
      ["picture:a-light", "assets/a-light.1.png"],
      ["picture:a-dark", "assets/a-dark.2.png"],
    ]),
  );
  const resolve = (href: string): string => links.toHtml(href, "guides/one");
  const { html } = render('![Of "a"](picture:a)', resolve);
  expect(html).toContain(
    '<img class="of-light" src="../assets/a-light.1.png" alt="Of &quot;a&quot;" width="1200" height="760" loading="lazy"',
  );
  expect(html).toContain(
    '<img class="of-dark" src="../assets/a-dark.2.png" alt="Of &quot;a&quot;" width="1200" height="760" loading="lazy"',
  );
  expect(links.toMarkdown("picture:a", "guides/one")).toBe("../assets/a-light.1.png");
  expect(() => render("![B](picture:b)", resolve)).toThrow(
    "guides/one.md shows picture:b-light, and there is no such file in docs/pictures.",
  );
});
