import type { DocumentName } from "./api-document.ts";

/**
 * Rewrites links of a document to its own sections and tags (`#section/Money`) as `section:gateway/Money` and
 * `tag:gateway/Wallets`, which lead there from anywhere.
 */
export function spellOutDocumentLinks(markdown: string, document: DocumentName): string {
  return markdown
    .replaceAll("](#tag/Event-types)", "](event:index)")
    .replaceAll(/\]\(#(section|tag)\/([^)]+)\)/g, `]($1:${document}/$2)`)
    .replaceAll(/\]\(#operation\/([^)]+)\)/g, "](operation:$1)");
}
