export type PageKind =
  | "home"
  | "guide"
  | "error"
  | "event"
  | "states"
  | "reference"
  | "changelog"
  | "glossary"
  | "missing";

/** The sections that the header names. */
export type Section = "guides" | "reference" | "events" | "errors" | "changelog";

/**
 * One page of the site. Every page is Markdown first: it is given away as it is, beside the HTML, and the search index and
 * `llms.txt` are made of it.
 */
export type Page = {
  /** From the root of the site, without an ending: `guides/webhooks`, `errors/NOT_FOUND`. */
  path: string;
  kind: PageKind;
  section: Section | null;
  title: string;
  /** One sentence, for search engines and `llms.txt`. */
  description: string;
  /**
   * Begins with the title as a heading. Links between pages are relative and end in `.md`; `operation:listWallets`,
   * `event:wallet.created` and `error:NOT_FOUND` lead to what the documents and the registry name.
   */
  markdown: string;
  /** What it is made of, from the root of the repository, for the day of its last change. */
  sources: readonly string[];
  /** Of a reference: the same Markdown in pieces, for the layout and the menu. */
  parts?: readonly ReferencePart[];
};

/** A section of a document's own text, a tag, or an operation of the tag before it. */
export type ReferencePart = {
  kind: "section" | "tag" | "operation";
  /** Where the HTML shows it, without the `#`. */
  anchor: string;
  title: string;
  markdown: string;
  /** How an operation is called, and what it answers then. Empty for the others. */
  samples: string;
  /** Of an operation that the console tries. */
  operationId?: string;
};

/** What the reading of a Markdown file finds: its heading, and its first paragraph without markup. */
export function describeMarkdown(markdown: string): { title: string; description: string } {
  const [, title = "", rest = ""] = /^# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
  const paragraph = rest.split(/\n{2,}/).find((part) => /^[\w`*[]/.test(part.trim())) ?? "";
  return { title: plainText(title), description: plainText(paragraph) };
}

/** Without emphasis, code marks and the targets of links. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
