import type { Options } from "minisearch";

/** One thing that can be found: a part of a page, or an operation. */
export type SearchEntry = {
  id: number;
  /** From the root of the site. */
  url: string;
  title: string;
  /** The title of the page that it is a part of, or empty when it is the page itself. */
  page: string;
  text: string;
};

/** The build and the browser must agree on these. Codes and event types are found whole and by each of their words. */
export const searchOptions: Options<SearchEntry> = {
  fields: ["title", "page", "text"],
  storeFields: ["url", "title", "page"],
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_.-]+/u).map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, ""));
    return words.flatMap((word) => [word, ...(/[_.-]/.test(word) ? word.split(/[_.-]/) : [])]).filter(Boolean);
  },
};
