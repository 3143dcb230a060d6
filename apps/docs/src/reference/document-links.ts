import type { DocumentName } from "./api-document.ts";

/**
 * The texts of a document link to its own sections and tags in the way of the reference (`#section/Money`). In a page
 * of the site these become `section:gateway/Money` and `tag:gateway/Wallets`, which lead there from anywhere; the types
 * of events have a catalogue of their own.
 */
export function spellOutDocumentLinks(markdown: string, document: DocumentName): string {
  return markdown
    .replaceAll("](#tag/Event-types)", "](event:index)")
    .replaceAll(/\]\(#(section|tag)\/([^)]+)\)/g, `]($1:${document}/$2)`)
    .replaceAll(/\]\(#operation\/([^)]+)\)/g, "](operation:$1)");
}
