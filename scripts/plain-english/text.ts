/** The places where people read. Rules name the kinds that they hold for. */
export type Kind = "comment" | "markdown" | "message" | "description";

/** One paragraph, cell, list item or message. */
export type Text = {
  kind: Kind;
  /** The number of its first line in the file, from 1. */
  line: number;
  /** One string for each line of the file, without the marks of the comment or of the markup. */
  lines: string[];
  /** Whether a comment or a description begins here; a second paragraph does not open it. */
  opens: boolean;
};

/** Splits lines into paragraphs and list items, so that a sentence never spans two of them. */
export function splitParagraphs(kind: Kind, line: number, lines: string[]): Text[] {
  const texts: Text[] = [];
  let current: Text | undefined;
  lines.forEach((content, index) => {
    const item = /^\s*(?:[-*•] |\d+[.)] |@\w+(?: \{[^}]*\})?(?: \w+)? ?)/.exec(content);
    if (content.trim() === "" || item) {
      current = undefined;
    }
    if (content.trim() === "") {
      return;
    }
    if (!current) {
      current = { kind, line: line + index, lines: [], opens: texts.length === 0 };
      texts.push(current);
    }
    current.lines.push(item ? content.slice(item[0].length) : content);
  });
  return texts;
}

const keepBreaks = (text: string, word: string): string => word + text.replaceAll(/[^\n]/g, "");

/**
 * Replaces everything that is not English by one word each, so that rules see only prose and a name counts once. That
 * includes code spans, addresses and placeholders. Words in quotation marks are a citation: they count and match no
 * rule. Line breaks stay.
 */
export function maskCode(text: string): string {
  return text
    .replaceAll(/(`+)[^`]+\1|\$\{[^}]*\}|\bhttps?:\/\/[^\s)>\]]+/g, (all) => keepBreaks(all, "CODESPAN"))
    .replaceAll(/\((?:RFC|ADR|`?docs\/)[^()]*\)/g, (all) => keepBreaks(all, "(CODESPAN)"))
    .replaceAll(/(?<=^|[\s(:])"[^"]{1,200}"(?=[\s.,;:!?)]|$)/g, (all) => all.replaceAll(/[^\s".!?]+/g, "QUOTED"));
}
