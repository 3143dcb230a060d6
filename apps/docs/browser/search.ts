import MiniSearch from "minisearch";
import { searchOptions, type SearchEntry } from "./search-options.ts";

declare global {
  interface Window {
    /** The index as text, set by the script that holds it. */
    gatewaySearchIndex?: string;
  }
}

export type SearchHit = Pick<SearchEntry, "url" | "title" | "page">;

const shownAtMost = 12;

/** Finds while a word is being typed, and forgives a slip in a longer one. Every word must be found. */
function createSearch(indexText: string): (query: string) => SearchHit[] {
  const index = MiniSearch.loadJSON<SearchEntry>(indexText, searchOptions);
  return (query) =>
    index
      .search(query, { prefix: true, fuzzy: 0.15, combineWith: "AND", boost: { title: 4, page: 1.5 } })
      .slice(0, shownAtMost)
      // What is stored are the fields that searchOptions names.
      .map((hit) => ({ url: String(hit["url"]), title: String(hit["title"]), page: String(hit["page"]) }));
}

window.gatewaySearch = createSearch(window.gatewaySearchIndex ?? "");
