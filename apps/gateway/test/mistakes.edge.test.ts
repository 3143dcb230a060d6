import { beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "./support/http-client.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const docsUrl = "https://docs.example.com/gateway";

let key: string;
let expired: string;

const issuer = useIssuer();
const gateway = useGateway({ issuer, env: { DOCS_URL: `${docsUrl}/`, TRUSTED_PROXIES: "127.0.0.1" } });
beforeAll(async () => {
  const account = await gateway.createAccount();
  key = (await gateway.createKey(account, "admin")).secret;
  const grant = await createTestGrant(gateway, account);
  expired = await mintToken(issuer, grant, { nowMs: Date.now() - 2 * 3600 * 1000 });
});

/** What somebody types who reads the reference with half an eye, and what they must read then. */
type Mistake = { name: string; ask: Ask & { withoutKey?: true }; says: RegExp };

const wallets = "/api/v1/wallets";
const anyWallet = "wal_01kk96r47yfe8vn4k17dtwp5pr";
const post = (body: object, target = wallets): Ask => ({ method: "POST", target, body });
const webhook = (change: object): Ask =>
  post({ url: "https://hooks.example.com/", events: ["wallet.created"], ...change }, "/api/v1/webhooks");

const mistakes: Mistake[] = [
  {
    name: "no credential",
    ask: { target: wallets, withoutKey: true },
    says: /Send an API key in the X-API-Key header/,
  },
  {
    name: "a word for a key",
    ask: { target: wallets, headers: { "X-API-Key": "secret" } },
    says: /begins with gk_test_/,
  },
  {
    name: "a key as a bearer token",
    ask: { target: wallets, withoutKey: true, headers: { Authorization: "Bearer gk_test_x" } },
    says: /API keys go into the X-API-Key header/,
  },
  {
    name: "one key in both headers, as a generated client sends it that asks for each scheme",
    ask: { target: wallets, headers: { Authorization: "Bearer gk_test_x" } },
    says: /^The headers X-API-Key and Authorization are both sent.*leave out Authorization.*"Use another client generator"/,
  },
  {
    name: "a key and a token",
    ask: { target: wallets, headers: { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." } },
    says: /^The headers X-API-Key and Authorization are both sent.*leave out Authorization.*or X-API-Key/,
  },
  {
    name: "a live key in the sandbox",
    ask: { target: wallets, headers: { "X-API-Key": `gk_live_${"a".repeat(32)}_abcdef` } },
    says: /key/i,
  },
  { name: "the path without its prefix", ask: { target: "/wallets" }, says: /Did you mean \/api\/v1\/wallets\?/ },
  { name: "a slash at the end", ask: { target: `${wallets}/` }, says: /Did you mean \/api\/v1\/wallets\?/ },
  { name: "a path in capitals", ask: { target: "/API/v1/Wallets" }, says: /Did you mean \/api\/v1\/wallets\?/ },
  { name: "a misspelt path", ask: { target: "/api/v1/walets" }, says: /Did you mean \/api\/v1\/wallets\?/ },
  {
    name: "a misspelt path behind an id",
    ask: { target: "/api/v1/webhooks/whk_1/tests" },
    says: /Did you mean \/api\/v1\/webhooks\/\{webhookId\}\/test\?/,
  },
  { name: "a path that is near none", ask: { target: "/favicon.ico" }, says: /the reference lists them all/ },
  {
    name: "a method that the path does not take",
    ask: { method: "PUT", target: wallets },
    says: /it takes GET, HEAD, POST/,
  },
  { name: "an id of something else", ask: { target: `${wallets}/key_01` }, says: /wal_ and 26 characters/ },
  { name: "a misspelt query parameter", ask: { target: `${wallets}?limits=5` }, says: /did you mean limit\?/ },
  { name: "a page too large", ask: { target: `${wallets}?limit=1000` }, says: /at most 100/ },
  { name: "a page in words", ask: { target: `${wallets}?limit=ten` }, says: /whole number in decimal digits/ },
  { name: "a cursor of one's own", ask: { target: `${wallets}?cursor=page=2` }, says: /cursor/ },
  { name: "a misspelt field", ask: post({ name: "Payroll", curency: "EUR" }), says: /did you mean currency\?/ },
  { name: "a field in another style", ask: webhook({ event_types: [] }), says: /is not a known field/ },
  { name: "a currency in small letters", ask: post({ name: "Payroll", currency: "eur" }), says: /did you mean EUR\?/ },
  {
    name: "a misspelt type of event",
    ask: webhook({ events: ["wallet.create"] }),
    says: /did you mean wallet\.created\?/,
  },
  {
    name: "a webhook over http",
    ask: webhook({ url: "http://hooks.example.com/" }),
    says: /must begin with https:\/\//,
  },
  {
    name: "a webhook on one's own machine",
    ask: webhook({ url: "http://localhost:3000/hooks" }),
    says: /public https:\/\/ address\. To receive on your own machine, follow the events .* or take a tunnel/,
  },
  {
    name: "a webhook on one's own machine over https",
    ask: webhook({ url: "https://localhost:3000/hooks" }),
    says: /of this machine or of a private network\. To receive on your own machine, follow the events/,
  },
  {
    name: "a webhook in one's own network",
    ask: webhook({ url: "https://192.168.1.7/hooks" }),
    says: /not of the public internet\. To receive on your own machine, follow the events/,
  },
  { name: "an empty name", ask: post({ name: "", currency: "EUR" }), says: /at least 1 character[^s]/ },
  {
    name: "an amount with a decimal point",
    ask: post({ amount: 12.5 }, `/api/v1/sandbox/wallets/${anyWallet}/fund`),
    says: /The field amount must be a whole number in the currency's minor unit, e\.g\. 1250/,
  },
  {
    name: "an amount as a string",
    ask: post({ walletId: anyWallet, amount: "12.50", destination: { walletId: anyWallet } }, "/api/v1/payments"),
    says: /The field amount must be a whole number in the currency's minor unit, e\.g\. 1250/,
  },
  {
    name: "a price as a number",
    ask: post({ symbol: "BTC-USD", price: 70000.5 }, "/api/v1/sandbox/prices"),
    says: /must be a string or null, such as "|must be a string, such as "/,
  },
  { name: "a name that is a number", ask: post({ name: 5, currency: "EUR" }), says: /must be a string, such as "/ },
  { name: "a list that is one value", ask: webhook({ events: "wallet.created" }), says: /must be an array/ },
  {
    name: "a time in a query whose + is a space",
    ask: { target: `${wallets}?createdAfter=2026-03-01T12:00:00+02:00` },
    says: /must have the \+ of its offset written as %2B: 2026-03-01T12:00:00%2B02:00/,
  },
  {
    name: "a query that is no UTF-8",
    ask: { target: `${wallets}?externalId=%c0%af` },
    says: /The field externalId must be UTF-8, percent-encoded/,
  },
  {
    name: "a percent sign that stands alone",
    ask: { target: `${wallets}?externalId=100%` },
    says: /The field externalId must be UTF-8, percent-encoded/,
  },
  {
    name: "the name of a parameter that is no UTF-8",
    ask: { target: `${wallets}?%c0%af=1` },
    says: /must be UTF-8, percent-encoded/,
  },
  {
    name: "a parameter from a variable that is not set",
    ask: { target: `${wallets}?externalId=` },
    says: /must not be empty; is the variable that it comes from set\?/,
  },
  {
    name: "a path from a variable that is not set",
    ask: { method: "POST", target: `${wallets}//close` },
    says: /at this path\. In \/api\/v1\/wallets\/\{walletId\}\/close the walletId is empty; is the variable that it comes from set\?/,
  },
  {
    name: "a path that ends with a variable that is not set",
    ask: { target: "/api/v1/payments/" },
    says: /Did you mean \/api\/v1\/payments\? In \/api\/v1\/payments\/\{paymentId\} the paymentId is empty/,
  },
  {
    name: "a path from two variables that are not set",
    ask: { target: "/api/v1/price-feeds//rounds/" },
    says: /the symbol and the roundId are empty; is the variable that they come from set\?/,
  },
  {
    name: "a body that is no JSON",
    ask: { ...post({}), headers: { "Content-Type": "application/json" }, body: Buffer.from("{name: Payroll}") },
    says: /not valid JSON at character 1/,
  },
  {
    name: "a field twice",
    ask: {
      ...post({}),
      headers: { "Content-Type": "application/json" },
      body: Buffer.from('{"name":"Payroll","name":"Rent","currency":"EUR"}'),
    },
    says: /The field name must be there only once/,
  },
  {
    name: "a form in the place of JSON",
    ask: { ...post({}), headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    says: /application\/json/,
  },
  {
    name: "a time without its offset",
    ask: post({ name: "CI", permission: "read", expiresAt: "2030-01-01 12:00" }, "/api/v1/api-keys"),
    says: /2026-03-01T12:00:00Z/,
  },
  {
    name: "an address that is none",
    ask: post({ email: "grace at example.com", role: "member" }, "/api/v1/people"),
    says: /such as grace@example\.com/,
  },
  {
    name: "a key of metadata with a space",
    ask: post({ name: "Payroll", currency: "EUR", metadata: { "cost center": "1" } }),
    says: /must begin with a letter/,
  },
];

describe("a mistake is answered with what to do, and links the page of its code", () => {
  test.each(mistakes)("$name", async ({ ask: { withoutKey, ...ask }, says }) => {
    const headers = { "X-Forwarded-For": `192.0.2.${mistakes.findIndex((one) => one.says === says)}`, ...ask.headers };
    const ownsKey = withoutKey !== true && !("X-API-Key" in headers);
    const answer = await gateway.call({ ...ask, headers, ...(ownsKey && { key }) });
    const { error } = answer.json as { error: { code: string; message: string; docsUrl: string; details?: object[] } };
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(`${error.message} ${JSON.stringify(error.details ?? [])}`).toMatch(says);
    expect(error.docsUrl).toBe(`${docsUrl}/errors/${error.code}`);
    expect(error.message).not.toMatch(/[?!.]\.$/);
    // No regular expression is shown to anybody.
    expect(answer.text).not.toMatch(/\(\?|\[[a-z0-9]-[a-z0-9]|\$"|\\\\[dxu]/i);
  });
});

test("an expired token is called expired, also when its key is gone", async () => {
  const ask = { target: wallets, headers: { "X-Forwarded-For": "192.0.2.200", ...bearer(expired) } };
  expect((await gateway.call(ask)).json).toMatchObject({
    error: { message: "The access token has expired. Refresh it." },
  });
  const [head = "", ...rest] = expired.split(".");
  const header = JSON.parse(Buffer.from(head, "base64url").toString()) as object;
  const gone = [Buffer.from(JSON.stringify({ ...header, kid: "gone" })).toString("base64url"), ...rest].join(".");
  expect((await gateway.call({ ...ask, headers: { ...ask.headers, ...bearer(gone) } })).json).toMatchObject({
    error: { message: "The access token has expired. Refresh it." },
  });
});

test("an address that is over its limit learns what is wrong with its credential", async () => {
  const ask = { target: wallets, headers: { "X-Forwarded-For": "192.0.2.201", "X-API-Key": "secret" } };
  for (let count = 0; count < 10; count += 1) {
    expect((await gateway.call(ask)).status).toBe(401);
  }
  expect(await gateway.call(ask)).toMatchObject({
    status: 429,
    json: {
      error: { message: expect.stringMatching(/without a valid credential.*begins with gk_test_.*Try again in/) },
    },
  });
});
