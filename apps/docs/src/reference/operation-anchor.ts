import { slugOf } from "../markdown/headings.ts";
import type { Operation } from "./api-document.ts";

/** The page of a tag in the reference of a document, from the root of the site, without an ending. */
export function tagPath(document: string, tag: string): string {
  return `reference/${document}/tags/${slugOf(tag)}`;
}

/** The page that shows an operation: the one of its tag. */
export function operationPath(document: string, { tags = [] }: Pick<Operation, "tags">): string {
  return tagPath(document, tags[0] ?? "");
}

/** The anchor of an operation on its tag's page: `#createwallet`. Other sites link to it, so it does not change. */
export function operationAnchor({ operationId }: Pick<Operation, "operationId">): string {
  return `#${operationId.toLowerCase()}`;
}

/** The Markdown of one operation alone, from the root of the site, without an ending. */
export function operationTextPath(document: string, operationId: string): string {
  return `reference/${document}/operations/${operationId.toLowerCase()}`;
}
