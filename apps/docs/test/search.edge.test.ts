import { beforeAll, describe, expect, test } from "vitest";
import { createSearch, type SearchHit, type SearchResults } from "../browser/create-search.ts";
import { cutExcerpt } from "../browser/cut-excerpt.ts";
import { readApiDocuments } from "../src/reference/api-document.ts";
import { buildTestSite } from "./support/test-site.ts";

let ask: (query: string) => SearchResults;
let files: ReadonlyMap<string, unknown>;
const search = (query: string): SearchHit[] => ask(query).hits;

beforeAll(async () => {
  ({ files } = await buildTestSite());
  const [, script = ""] = [...files].find(([path]) => path.startsWith("assets/search-index.")) ?? [];
  const [, text = ""] = /^self\.gatewaySearchIndex=(.*);$/.exec(String(script)) ?? [];
  ask = createSearch(JSON.parse(text) as string);
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

/** Queries of readers who do not know our words, and the page or part that must be among the first three. */
test.each([
  ["2fa", "Ask owners for a second factor"],
  ["mfa", "Ask owners for a second factor"],
  ["two factor", "Ask owners for a second factor"],
  ["python", "In another language"],
  ["golang", "In another language"],
  ["postman", "In another language"],
  ["docker", "In containers"],
  ["kubernetes", "In containers"],
  ["test iban", "Account numbers (test IBANs)"],
  ["export csv", "Export to CSV"],
  ["download statement", "Export to CSV"],
  ["localhost webhook", "On your own machine"],
  ["webhook localhost", "On your own machine"],
  ["ngrok", "On your own machine"],
  ["quickstart", "First call in five minutes"],
  ["getting started", "First call in five minutes"],
  ["openapi generator", "OpenAPI Generator (Java)"],
  ["client generator", "Use another client generator"],
  ["hey-api", "@hey-api/openapi-ts (TypeScript)"],
  ["orval", "orval (TypeScript)"],
  ["python client", "openapi-python-client (Python)"],
  ["go client", "oapi-codegen (Go)"],
  ["golang client", "oapi-codegen (Go)"],
  ["java client", "OpenAPI Generator (Java)"],
])("%s leads to: %s", (query, title) => {
  const { found, hits } = ask(query);
  expect(found).toBe("all");
  expect(hits.slice(0, 3).map((hit) => hit.title)).toContain(title);
});

test.each(["refund", "withdraw", "aml", "websocket", "pricing", "reconciliation", "gdpr", "faucet", "rollback", "sdk"])(
  "%s finds something",
  (query) => {
    expect(ask(query)).toMatchObject({ found: "all", hits: [expect.anything(), ...search(query).slice(1)] });
  },
);

test("where nothing has all words, those that have some are shown, and it says so", () => {
  expect(ask("wallets xylophone")).toMatchObject({ found: "some" });
  expect(search("wallets xylophone").map(({ title }) => title)).toContain("List wallets");
});

test("where nothing is found it leads on to pages that there are", () => {
  const { found, hits } = ask("xylophone");
  expect(found).toBe("none");
  expect(hits.length).toBeGreaterThan(3);
  expect(hits.filter(({ url }) => !files.has(url))).toEqual([]);
});

test("every operation is the first hit for its id", () => {
  const operations = readApiDocuments().flatMap((document) => document.operations);
  const others = operations.filter(({ operationId, summary }) => search(operationId)[0]?.title !== summary);
  expect(others.map(({ operationId }) => [operationId, search(operationId)[0]?.title])).toEqual([]);
});

test("a day of the changelog is one hit, with the anchor of the day", () => {
  const days = search("breaking tabs").filter(({ url }) => url.startsWith("changelog.html#"));
  expect(days).not.toEqual([]);
  expect(days.filter(({ title, url }) => url !== `changelog.html#${title}`)).toEqual([]);
  expect(days.filter(({ title }) => !/^\d{4}-\d\d-\d\d$/.test(title))).toEqual([]);
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
