import { slugOf } from "../markdown/headings.ts";
import type { Operation } from "./api-document.ts";

/** Where a reference shows an operation: `#/wallets/createwallet`. An address that others keep, so it stays as it is. */
export function operationAnchor({ tags = [], operationId }: Operation): string {
  return `${tagAnchor(tags[0] ?? "")}/${operationId.toLowerCase()}`;
}

export function tagAnchor(name: string): string {
  return `#/${slugOf(name)}`;
}

export function sectionAnchor(title: string): string {
  return `#/section/${slugOf(title)}`;
}

/**
 * Where the Markdown of a part of a reference is, from the root of the site, without an ending. `name` is the end of
 * its anchor.
 */
export function referenceTextPath(page: string, kind: "tag" | "operation", name: string): string {
  return `${page}/${kind}s/${name}`;
}
