import type { Options } from "minisearch";

/** A search result: a part of a page, or an operation. */
export type SearchEntry = {
  id: number;
  /** From the root of the site. */
  url: string;
  title: string;
  /** The title of the page that contains it, or empty when it is the page itself. */
  page: string;
  /** Its names in programs: `createWallet wallets.create`. */
  names: string;
  text: string;
};

/** The build and the browser must agree on these. */
export const searchOptions: Options<SearchEntry> = {
  fields: ["title", "page", "names", "text"],
  storeFields: ["url", "title", "page", "text"],
  tokenize: (text) =>
    splitWords(text).flatMap((word) => [word, ...(/[_.-]|\p{Ll}\p{Lu}/u.test(word) ? splitName(word) : [])]),
};

export function splitWords(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}_.-]+/u)
    .map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, ""))
    .filter(Boolean);
}

/** Codes, event types and operation ids are found as a whole and by each of their words. */
function splitName(word: string): string[] {
  return word.split(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
}
