import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { cutExcerpt, type ExcerptPart } from "./cut-excerpt.ts";
import { searchOptions, splitWords, type SearchEntry } from "./search-options.ts";

export type SearchHit = Pick<SearchEntry, "url" | "title" | "page"> & { excerpt: readonly ExcerptPart[] };

const shownAtMost = 12;

/** What readers say for what is called otherwise here. A word may be in several groups. */
const synonyms: readonly (readonly string[])[] = [
  ["rotate", "roll", "renew"],
  ["key", "apikey", "secret", "credential"],
  ["hook", "hooks", "webhook", "webhooks", "callback"],
  ["login", "signin", "sign-in", "authenticate"],
  ["logout", "signout", "end-session"],
  ["auth", "authentication", "authorization", "oauth"],
  ["jwt", "token"],
  ["user", "person", "people", "member", "team"],
  ["invite", "invitation"],
  ["add", "create", "register", "new"],
  ["delete", "remove", "revoke", "disconnect"],
  ["throttle", "throttling", "quota", "limits", "429"],
  ["retry", "retries", "repeat", "resend", "replay"],
  ["duplicate", "idempotency", "idempotent"],
  ["page", "paging", "pagination", "cursor"],
  ["signature", "hmac", "verify"],
  ["sandbox", "test", "environment"],
  ["app", "application", "client"],
  ["permission", "role", "scope"],
];

/**
 * Finds while a word is being typed, forgives a slip in a longer one, and takes a synonym for the word, which counts less. Every word
 * must be found.
 */
export function createSearch(indexText: string): (query: string) => SearchHit[] {
  const index = MiniSearch.loadJSON<SearchEntry>(indexText, searchOptions);
  return (query) =>
    index
      .search(
        { combineWith: "AND", queries: splitWords(query).map(expand) },
        {
          boost: { title: 4, names: 4, page: 1.5 },
          boostDocument: (_id, _term, entry) => (isTitle(entry, query) ? 2 : 1),
        },
      )
      .slice(0, shownAtMost)
      .map(createHit);
}

/** Who types the whole title of a page wants that page, however often others name it. */
function isTitle(entry: Record<string, unknown> | undefined, query: string): boolean {
  return String(entry?.["title"]).toLowerCase() === query.trim().toLowerCase();
}

function expand(word: string): Query {
  const own = { queries: [word], prefix: true, fuzzy: 0.15 };
  const lower = word.toLowerCase();
  const others = synonyms.filter((group) => group.includes(lower)).flat();
  const same = [...new Set(others)].filter((other) => other !== lower);
  return same.length === 0
    ? own
    : { combineWith: "OR", queries: [own, { queries: same, combineWith: "OR", boostTerm: () => 0.4 }] };
}

function createHit({ match, ...hit }: SearchResult): SearchHit {
  // What is stored are the fields that searchOptions names.
  const { url, title, page, text } = hit as unknown as SearchEntry;
  return {
    url,
    title,
    page,
    excerpt: cutExcerpt(
      text,
      Object.keys(match).filter((word) => word.length > 1),
    ),
  };
}
