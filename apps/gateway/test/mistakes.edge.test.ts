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

/** A mistake of a hasty reader of the reference, and the words that the refusal must have. */
type Mistake = [name: string, ask: Ask & { withoutKey?: true }, says: RegExp];

const wallets = "/api/v1/wallets";
const anyWallet = "wal_01kk96r47yfe8vn4k17dtwp5pr";
const get = (target: string, headers: Record<string, string> = {}): Ask => ({ target, headers });
const post = (body: object, target = wallets): Ask => ({ method: "POST", target, body });
const bytes = (text: string): Ask => ({
  ...post(Buffer.from(text)),
  headers: { "Content-Type": "application/json" },
});
const webhook = (change: object): Ask =>
  post({ url: "https://hooks.example.com/", events: ["wallet.created"], ...change }, "/api/v1/webhooks");

const mistakes: Mistake[] = [
  ["no credential", { target: wallets, withoutKey: true }, /Send an API key in the X-API-Key header/],
  ["a word for a key", get(wallets, { "X-API-Key": "secret" }), /begins with gk_test_/],
  [
    "a key as a bearer token",
    { target: wallets, withoutKey: true, headers: { Authorization: "Bearer gk_test_x" } },
    /API keys go into the X-API-Key header/,
  ],
  [
    "one key in both headers, as a generated client sends it that asks for each scheme",
    get(wallets, { Authorization: "Bearer gk_test_x" }),
    /^The headers X-API-Key and Authorization are both sent.*leave out Authorization.*"Use another client generator"/,
  ],
  [
    "a key and a token",
    get(wallets, { Authorization: "Bearer eyJhbGciOiJub25lIn0.e30." }),
    /^The headers X-API-Key and Authorization are both sent.*leave out Authorization.*or X-API-Key/,
  ],
  ["a live key in the sandbox", get(wallets, { "X-API-Key": `gk_live_${"a".repeat(32)}_abcdef` }), /key/i],
  ["the path without its prefix", get("/wallets"), /Did you mean \/api\/v1\/wallets\?/],
  ["a slash at the end", get(`${wallets}/`), /Did you mean \/api\/v1\/wallets\?/],
  ["a path in capitals", get("/API/v1/Wallets"), /Did you mean \/api\/v1\/wallets\?/],
  ["a misspelt path", get("/api/v1/walets"), /Did you mean \/api\/v1\/wallets\?/],
  [
    "a misspelt path behind an id",
    get("/api/v1/webhooks/whk_1/tests"),
    /Did you mean \/api\/v1\/webhooks\/\{webhookId\}\/test\?/,
  ],
  ["a path that is near none", get("/favicon.ico"), /the reference lists them all/],
  ["a method that the path does not take", { method: "PUT", target: wallets }, /it takes GET, HEAD, POST/],
  ["an id of something else", get(`${wallets}/key_01`), /wal_ and 26 characters/],
  ["a misspelt query parameter", get(`${wallets}?limits=5`), /did you mean limit\?/],
  ["a page too large", get(`${wallets}?limit=1000`), /at most 100/],
  ["a page in words", get(`${wallets}?limit=ten`), /whole number in decimal digits/],
  ["a cursor of one's own", get(`${wallets}?cursor=page=2`), /cursor/],
  ["a misspelt field", post({ name: "Payroll", curency: "EUR" }), /did you mean currency\?/],
  ["a field in another style", webhook({ event_types: [] }), /is not a known field/],
  ["a currency in small letters", post({ name: "Payroll", currency: "eur" }), /did you mean EUR\?/],
  ["a misspelt type of event", webhook({ events: ["wallet.create"] }), /did you mean wallet\.created\?/],
  ["a webhook over http", webhook({ url: "http://hooks.example.com/" }), /must begin with https:\/\//],
  [
    "a webhook on one's own machine",
    webhook({ url: "http://localhost:3000/hooks" }),
    /public https:\/\/ address\. To receive on your own machine, follow the events .* or take a tunnel/,
  ],
  [
    "a webhook on one's own machine over https",
    webhook({ url: "https://localhost:3000/hooks" }),
    /of this machine or of a private network\. To receive on your own machine, follow the events/,
  ],
  [
    "a webhook in one's own network",
    webhook({ url: "https://192.168.1.7/hooks" }),
    /an address of the public internet\. To receive on your own machine, follow the events/,
  ],
  ["an empty name", post({ name: "", currency: "EUR" }), /at least 1 character[^s]/],
  [
    "an amount with a decimal point",
    post({ amount: 12.5 }, `/api/v1/sandbox/wallets/${anyWallet}/fund`),
    /The field amount must be a whole number in the currency's minor unit, e\.g\. 1250/,
  ],
  [
    "an amount as a string",
    post({ walletId: anyWallet, amount: "12.50", destination: { walletId: anyWallet } }, "/api/v1/payments"),
    /The field amount must be a whole number in the currency's minor unit, e\.g\. 1250/,
  ],
  [
    "a price as a number",
    post({ symbol: "BTC-USD", price: 70000.5 }, "/api/v1/sandbox/prices"),
    /must be a string or null, such as "|must be a string, such as "/,
  ],
  ["a name that is a number", post({ name: 5, currency: "EUR" }), /must be a string, such as "/],
  ["a list that is one value", webhook({ events: "wallet.created" }), /must be an array/],
  [
    "a time in a query whose + is a space",
    get(`${wallets}?createdAfter=2026-03-01T12:00:00+02:00`),
    /must have the \+ of its offset written as %2B: 2026-03-01T12:00:00%2B02:00/,
  ],
  [
    "a query that is no UTF-8",
    get(`${wallets}?externalId=%c0%af`),
    /The field externalId must be UTF-8, percent-encoded/,
  ],
  [
    "a percent sign that stands alone",
    get(`${wallets}?externalId=100%`),
    /The field externalId must be UTF-8, percent-encoded/,
  ],
  ["the name of a parameter that is no UTF-8", get(`${wallets}?%c0%af=1`), /must be UTF-8, percent-encoded/],
  [
    "a parameter from a variable that is not set",
    get(`${wallets}?externalId=`),
    /must not be empty; is the variable that it comes from set\?/,
  ],
  [
    "a path from a variable that is not set",
    { method: "POST", target: `${wallets}//close` },
    /at this path\. In \/api\/v1\/wallets\/\{walletId\}\/close the walletId is empty; is the variable that it comes from set\?/,
  ],
  [
    "a path that ends with a variable that is not set",
    get("/api/v1/payments/"),
    /Did you mean \/api\/v1\/payments\? In \/api\/v1\/payments\/\{paymentId\} the paymentId is empty/,
  ],
  [
    "a path from two variables that are not set",
    get("/api/v1/price-feeds//rounds/"),
    /the symbol and the roundId are empty; is the variable that they come from set\?/,
  ],
  ["a body that is no JSON", bytes("{name: Payroll}"), /not valid JSON at character 1/],
  ["a field twice", bytes('{"name":"Payroll","name":"Rent","currency":"EUR"}'), /The field name must occur only once/],
  [
    "a form in the place of JSON",
    { ...post({}), headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    /application\/json/,
  ],
  [
    "a time without its offset",
    post({ name: "CI", permission: "read", expiresAt: "2030-01-01 12:00" }, "/api/v1/api-keys"),
    /2026-03-01T12:00:00Z/,
  ],
  [
    "an address that is none",
    post({ email: "grace at example.com", role: "member" }, "/api/v1/people"),
    /such as grace@example\.com/,
  ],
  [
    "a key of metadata with a space",
    post({ name: "Payroll", currency: "EUR", metadata: { "cost center": "1" } }),
    /must begin with a letter/,
  ],
];

describe("a mistake is answered with what to do, and links the page of its code", () => {
  test.each(mistakes)("%s", async (name, { withoutKey, ...ask }, says) => {
    const place = mistakes.findIndex(([one]) => one === name);
    const headers = { "X-Forwarded-For": `192.0.2.${place}`, ...ask.headers };
    const ownsKey = withoutKey !== true && !("X-API-Key" in headers);
    const answer = await gateway.call({ ...ask, headers, ...(ownsKey && { key }) });
    const { error } = answer.json as { error: { code: string; message: string; docsUrl: string; details?: object[] } };
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(`${error.message} ${JSON.stringify(error.details ?? [])}`).toMatch(says);
    expect(error.docsUrl).toBe(`${docsUrl}/errors/${error.code}`);
    expect(error.message).not.toMatch(/[?!.]\.$/);
    // A refusal never shows a regular expression.
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
