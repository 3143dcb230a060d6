import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { cutExcerpt, type ExcerptPart } from "./cut-excerpt.ts";
import { searchOptions, splitWords, type SearchEntry } from "./search-options.ts";

export type SearchHit = Pick<SearchEntry, "url" | "title" | "page"> & { excerpt: readonly ExcerptPart[] };

/** `all`: each hit has every word. `some`: each has at least one. `none`: the hits are starting points. */
export type SearchResults = { found: "all" | "some" | "none"; hits: SearchHit[] };

/** Starting points for a reader whose search found nothing. */
const onward: readonly SearchHit[] = [
  [
    "guides/first-call.html",
    "First call in five minutes",
    "From nothing to your wallets, with curl, TypeScript or another language.",
  ],
  ["reference/gateway.html", "API reference", "Every operation with its permission, fields and responses."],
  ["guides/test-values.html", "Test values", "Test IBANs, names and addresses for each outcome in the sandbox."],
  ["guides/webhooks.html", "Webhooks", "Receive changes as they happen, on your own machine too."],
  ["errors/index.html", "Error codes", "Every code with its cause and what to do."],
  ["glossary.html", "Glossary", "One word per thing, and what it means: it may be called otherwise here."],
].map(([url = "", title = "", text = ""]) => ({ url, title, page: "", excerpt: [{ text, isMatch: false }] }));

const shownAtMost = 12;

/** Readers' words for terms that have another name here. A phrase stands for all of its words. */
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
  ["2fa", "mfa", "otp", "totp", "second factor", "authenticator app"],
  ["docker", "container", "containers", "kubernetes", "k8s", "compose", "podman"],
  ["export", "csv", "download", "statement"],
  ["sdk", "library", "client"],
  ["golang", "oapi-codegen"],
  ["quickstart", "tutorial", "getting started"],
  ["refund", "chargeback", "returned"],
  ["withdraw", "withdrawal", "payout", "transfer"],
  ["aml", "compliance", "kyc"],
  ["poll", "polling", "websocket", "sse", "stream", "follow"],
  ["pricing", "tier"],
  ["reconcile", "reconciliation"],
  ["gdpr", "personal data", "erased"],
  ["faucet", "fund"],
  ["rollback", "roll back"],
  ["monitoring", "metrics", "alerts"],
  ["forgot", "forgotten"],
  ["unauthorized", "unauthenticated"],
  ["fee", "fees"],
];

/**
 * Finds results while a word is being typed, forgives a typo in a longer word, and gives synonyms less weight. Entries
 * with all words come first, then those with some. Without any, it returns starting points.
 */
export function createSearch(indexText: string): (query: string) => SearchResults {
  const index = MiniSearch.loadJSON<SearchEntry>(indexText, searchOptions);
  const find = (query: string, combineWith: "AND" | "OR"): SearchHit[] =>
    index
      .search(
        { combineWith, queries: splitWords(query).map(expand) },
        {
          boost: { title: 4, names: 4, page: 1.5 },
          boostDocument: (_id, _term, entry) => weightOf(entry, query),
        },
      )
      .slice(0, shownAtMost)
      .map(createHit);
  return (query) => {
    const all = find(query, "AND");
    if (all.length > 0) {
      return { found: "all", hits: all };
    }
    const some = find(query, "OR");
    return some.length > 0 ? { found: "some", hits: some } : { found: "none", hits: [...onward] };
  };
}

/** The complete title of a page finds that page first. The changelog has little weight. */
function weightOf(entry: Record<string, unknown> | undefined, query: string): number {
  if (String(entry?.["title"]).toLowerCase() === query.trim().toLowerCase()) {
    return 2;
  }
  return String(entry?.["url"]).startsWith("changelog") ? 0.3 : 1;
}

function expand(word: string): Query {
  const own = { queries: [word], prefix: true, fuzzy: 0.15 };
  const lower = word.toLowerCase();
  const others = synonyms.filter((group) => group.includes(lower)).flat();
  const same = [...new Set(others)].filter((other) => other !== lower);
  return same.length === 0
    ? own
    : { combineWith: "OR", queries: [own, { queries: same.map(phraseOf), combineWith: "OR", boostTerm: () => 0.4 }] };
}

function phraseOf(synonym: string): Query {
  const words = splitWords(synonym);
  return words.length === 1 ? synonym : { queries: words, combineWith: "AND" };
}

function createHit({ match, ...hit }: SearchResult): SearchHit {
  // The stored fields are those that searchOptions names.
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
