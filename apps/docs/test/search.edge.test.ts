import { beforeAll, describe, expect, test } from "vitest";
import { createSearch, type SearchHit } from "../browser/create-search.ts";
import { cutExcerpt } from "../browser/cut-excerpt.ts";
import { readApiDocuments } from "../src/reference/api-document.ts";
import { buildTestSite } from "./support/test-site.ts";

let search: (query: string) => SearchHit[];

beforeAll(async () => {
  const { files } = await buildTestSite();
  const [, script = ""] = [...files].find(([path]) => path.startsWith("assets/search-index.")) ?? [];
  const [, text = ""] = /^self\.gatewaySearchIndex=(.*);$/.exec(String(script)) ?? [];
  search = createSearch(JSON.parse(text) as string);
});

test("the page whose title is typed comes first", () => {
  expect(search("rate limits").map(({ url }) => url)[0]).toBe("guides/rate-limits.html");
});

test.each([
  ["rotate key", "Roll an API key"],
  ["rotate secret", "Roll a webhook's secret"],
  ["add hook", "Create a webhook"],
  ["register hook", "Webhooks"],
  ["invite user", "Invite a person"],
  ["throttling", "Rate limits"],
  ["delete api key", "Revoke an API key"],
  ["login", "Keep the person signed in"],
  ["createWallet", "Create a wallet"],
  ["wallets.list", "List wallets"],
  ["exchangetoken", "Get tokens"],
  ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_REUSED"],
  ["rate limited", "RATE_LIMITED"],
  ["payment.settled", "payment.settled"],
])("%s finds: %s", (query, title) => {
  expect(search(query).map((hit) => hit.title)).toContain(title);
});

test("every operation is the first hit for its id", () => {
  const operations = readApiDocuments().flatMap((document) => document.operations);
  const others = operations.filter(({ operationId, summary }) => search(operationId)[0]?.title !== summary);
  expect(others.map(({ operationId }) => [operationId, search(operationId)[0]?.title])).toEqual([]);
});

test("a word itself counts more than its synonym", () => {
  const titles = search("rotate").map(({ title }) => title);
  expect(titles[0]).toMatch(/rotat/i);
});

describe("an excerpt", () => {
  test("is of the place where what was found stands, marked", () => {
    const [hit] = search("cursor");
    const marked = hit?.excerpt.filter(({ isMatch }) => isMatch).map(({ text }) => text.toLowerCase());
    expect(marked).toContain("cursor");
  });

  test.each([
    ["One two three", ["two"], "One [two] three"],
    ["One two three", ["tw"], "One two three"],
    ["", ["two"], ""],
    ["a.b (c) a.b", ["a.b"], "[a.b] (c) [a.b]"],
    [`${"word ".repeat(40)}found here`, ["found"], `… ${"word ".repeat(9)}[found] here`],
    [`${"word ".repeat(40)}`, ["none"], `${"word ".repeat(31)}word …`],
  ])("of %j with %j", (text, words, expected) => {
    const parts = cutExcerpt(text, words);
    expect(parts.map((part) => (part.isMatch ? `[${part.text}]` : part.text)).join("")).toBe(expected);
  });
});
