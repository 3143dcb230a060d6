type PageKind =
  | "home"
  | "guide"
  | "error"
  | "event"
  | "states"
  | "reference"
  | "tag"
  | "changelog"
  | "glossary"
  | "missing";

export type Section = "guides" | "reference" | "events" | "errors" | "changelog";

/** A page of the site as Markdown, from which HTML, the search index and `llms.txt` are made. */
export type Page = {
  /** From the root of the site, without an ending: `guides/webhooks`, `errors/NOT_FOUND`. */
  path: string;
  kind: PageKind;
  section: Section | null;
  title: string;
  /** One sentence, for search engines and `llms.txt`. */
  description: string;
  /**
   * Begins with the title. Links are relative and end in `.md`, or name a part of the document:
   * `operation:listWallets`, `event:wallet.created`, `error:NOT_FOUND`.
   */
  markdown: string;
  /** The page's source files, from the root of the repository. They give the day of its last change. */
  sources: readonly string[];
  /** The operations of a tag's page: the same Markdown in pieces, for the layout and the menu. */
  parts?: readonly OperationPart[];
};

export type OperationPart = {
  operationId: string;
  title: string;
  /** The anchor of the operation in the HTML, without the `#`. */
  anchor: string;
  /** The path of its own Markdown text, from the root of the site, without an ending. */
  textPath: string;
  markdown: string;
  samples: string;
  isTried: boolean;
};

/** Returns the heading of a Markdown file, and its first paragraph without markup. */
export function describeMarkdown(markdown: string): { title: string; description: string } {
  const [, title = "", rest = ""] = /^# (.+)\n([\s\S]*)$/.exec(markdown) ?? [];
  const paragraph = rest.split(/\n{2,}/).find((part) => /^[\w`*[]/.test(part.trim())) ?? "";
  return { title: plainText(title), description: plainText(paragraph) };
}

/** Removes emphasis, code marks and the targets of links. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
