import { enforcedOpenapi } from "@gateway/contract";
import { createApiKeySecret } from "@gateway/platform/accounts";
import { waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { knownValues } from "../src/request-log/known-values.ts";
import { trimPath, trimQuery } from "../src/request-log/trim.ts";
import { trimUserAgent } from "../src/request-log/trim-user-agent.ts";
import { sql } from "kysely";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

// The clock does not move, so that no fraction of a second equals a code by chance.
const { gateway } = useGatewayAtNoon();

const random = (): string => randomBytes(24).toString("base64url");

/** Kinds of secrets that people have. */
const secrets: Record<string, () => string> = {
  "an API key": () => createApiKeySecret(false),
  "a live API key": () => createApiKeySecret(true),
  "a webhook secret": () => `whsec_${random()}`,
  "a JWT": () => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIx${random()}.${random()}`,
  "an authorization code": () => random(),
  "a refresh token": () => `${random()}${random()}`,
  "a password": () => `Tr0ub4dor&${randomBytes(3).toString("hex")}!`,
  "a code of an authenticator": () => "914523",
  // No rule can distinguish these from a name.
  "a password that is a name with a number": () => `hunter${letters()}22`,
  "a password that is a word": () => `swordfish${letters()}`,
  "a password in upper case": () => `HUNTER_${letters().toUpperCase()}`,
  "a password that looks like a symbol": () => `HUNTER${letters().toUpperCase()}-PASSWD`,
};

let made = 0;
/** Different letters each time, so that a match shows where the secret was planted. */
const letters = (): string => {
  made += 1;
  return [made / 26, made].map((number) => String.fromCharCode(97 + (Math.floor(number) % 26))).join("");
};

type Planted = { method?: string; target: string; headers?: Record<string, string>; body?: string | undefined };

/** Places where a secret ends up by mistake. */
const places: Record<string, (secret: string) => Planted> = {
  "the path of nothing": (secret) => ({ target: `/api/v1/login/${encodeURIComponent(secret)}` }),
  "the path of an operation": (secret) => ({ target: `/api/v1/api-keys/${encodeURIComponent(secret)}` }),
  "a parameter": (secret) => ({ target: `/api/v1/wallets?externalId=${encodeURIComponent(secret)}` }),
  "a filter by code": (secret) => ({ target: `/api/v1/request-logs?code=${encodeURIComponent(secret)}` }),
  "a filter by operation": (secret) => ({ target: `/api/v1/request-logs?operationId=${encodeURIComponent(secret)}` }),
  "a filter by method": (secret) => ({ target: `/api/v1/request-logs?method=${encodeURIComponent(secret)}` }),
  "a list of symbols": (secret) => ({ target: `/api/v1/prices?symbols=BTC-USD,${encodeURIComponent(secret)}` }),
  "a symbol of a quote, twice": (secret) => ({
    target: `/api/v1/quotes?symbols=${encodeURIComponent(secret)},${encodeURIComponent(secret)}`,
  }),
  "a redirect URI": (secret) => ({
    method: "POST",
    target: "/api/v1/oauth-applications",
    body: JSON.stringify({ name: "A", scopes: ["read"], redirectUris: [`https://EXAMPLE.com/${secret}`] }),
  }),
  "a symbol in a path": (secret) => ({ target: `/api/v1/instruments/${encodeURIComponent(secret)}` }),
  "the name of a parameter": (secret) => ({ target: `/api/v1/wallets?${encodeURIComponent(secret)}=1` }),
  "a cookie": (secret) => ({ target: "/api/v1/wallets", headers: { Cookie: `session=${secret}` } }),
  "a header": (secret) => ({ target: "/api/v1/wallets", headers: { "X-Token": secret } }),
  "Idempotency-Key": (secret) => ({
    method: "POST",
    target: "/api/v1/wallets",
    headers: { "Idempotency-Key": secret },
    body: '{"name":"A","currency":"EUR"}',
  }),
  "User-Agent": (secret) => ({ target: "/api/v1/wallets", headers: { "User-Agent": `curl/8.1 ${secret}` } }),
  "a value of the body": (secret) => ({
    method: "POST",
    target: "/api/v1/wallets",
    body: JSON.stringify({ name: secret, currency: secret }),
  }),
  "a name in the body": (secret) => ({
    method: "POST",
    target: "/api/v1/wallets",
    body: JSON.stringify({ [secret]: 1, name: "A", metadata: { [secret]: secret } }),
  }),
  "a body that is none": (secret) => ({ method: "POST", target: "/api/v1/wallets", body: `{"name":"${secret}` }),
};

test("no secret is stored, whatever it is and wherever it was put", async () => {
  const account = await gateway.createAccount();
  const key = await gateway.createKey(account, "admin");
  const planted: string[] = [key.secret];
  let sent = 0;
  for (const make of Object.values(secrets)) {
    for (const put of Object.values(places)) {
      const secret = make();
      planted.push(secret);
      const { method = "GET", target, headers = {}, body } = put(secret);
      await send({ method, target, headers: { ...headers, "X-API-Key": key.secret }, body });
      sent += 1;
    }
  }
  const { requestLog } = gateway.platform;
  const own = { accountId: account.id, onlyOf: null };
  const page = (cursor?: string) => requestLog.list({ ...own, limit: 100, ...(cursor !== undefined && { cursor }) });
  const countListed = async (): Promise<number> => {
    let listed = await page();
    let count = listed.items.length;
    while (listed.nextCursor !== null) {
      listed = await page(listed.nextCursor);
      count += listed.items.length;
    }
    return count;
  };
  await waitFor(async () => (await countListed()) === sent);

  const everything = await readAll();
  expect(everything).toContain(account.id);
  // The random part of an id may have six digits too.
  const stored = everything.replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, "an id");
  const found = planted.filter((secret) => stored.includes(secret) || stored.includes(encodeURIComponent(secret)));
  expect(found).toEqual([]);
  expect(planted.length).toBeGreaterThan(40);
});

async function send({ method, target, headers, body }: Planted & { headers: Record<string, string> }): Promise<void> {
  await fetch(`http://127.0.0.1:${gateway.port}${target}`, {
    method: method ?? "GET",
    headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  }).then((answer) => answer.arrayBuffer());
}

/** Each row of each table of the log, as text. */
async function readAll(): Promise<string> {
  const tables = ["request_logs", "usage_minutes", "usage_hours", "request_log_gaps", "request_log_writers"];
  const texts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
        gateway.database.kysely,
      );
      return rows.map(({ text }) => text).join("\n");
    }),
  );
  return texts.join("\n");
}

describe("of a path that reached nothing", () => {
  test.each([
    ["/api/v1/walets", "/api/v1/walets"],
    ["/api/v1/Ledger_Entries/", "/api/v1/Ledger_Entries/"],
    ["/api/v1/wallets/wal_01kk96r47yfjerprpgzd5v28dc/", "/api/v1/wallets/wal_01kk96r47yfjerprpgzd5v28dc/"],
    ["/api/v1/wallets/gk_test_abcdefghijklmnop", "/api/v1/wallets/…"],
    ["/whsec_abc/eyJhbGci/ey", "/…/…/…"],
    ["/login/hunter2", "/…/…"],
    ["/api/v1/wallets/swordfish", "/api/v1/wallets/…"],
    ["/a%20b/fills", "/…/fills"],
  ])("%s is kept as %s", (path, kept) => {
    expect(trimPath(path)).toBe(kept);
  });

  test("no more than 128 characters are kept", () => {
    expect(trimPath(`/${"word/".repeat(100)}`).length).toBeLessThanOrEqual(130);
  });
});

test("of each parameter whose values the document does not list, only known values are kept", () => {
  expect(Object.keys(knownValues).toSorted()).toEqual(openParameters());
  const hostile = Object.keys(knownValues).map((name) => [name, "HUNTER-PASSWD"]);
  expect(trimQuery({ ...Object.fromEntries(hostile), limit: 20 })).toBe(
    `${hostile.map(([name]) => `${name}=…`).join("&")}&limit=20`,
  );
  const known = { symbols: "BTC-USD,EUR-USD", code: "RATE_LIMITED", operationId: "listWallets", method: "GET" };
  expect(trimQuery(known)).toBe("symbols=BTC-USD,EUR-USD&code=RATE_LIMITED&operationId=listWallets&method=GET");
});

/** Names of query parameters that accept more than a number, a time, an id or a listed word. */
function openParameters(): string[] {
  const ids = /_\[0-7\]\[0-9a-hjkmnp-tv-z\]\{25\}\$$/;
  const words = /^\^\(\?:[a-z|]+\)|^\^\[1-5\]\(\?:xx/i;
  const document = enforcedOpenapi();
  const resolve = <Node extends object>(node: Node & { $ref?: string }): Node => {
    const within = (of: unknown, step: string): unknown => (of as Record<string, unknown>)[step];
    // A reference resolves to its target.
    return node.$ref === undefined ? node : resolve(node.$ref.split("/").slice(1).reduce(within, document) as Node);
  };
  const described = Object.values(document.paths)
    .flatMap((item) => Object.values(item as Record<string, { parameters?: readonly Parameter[] }>))
    .flatMap(({ parameters = [] }) => parameters.map((parameter) => resolve(parameter)))
    .map((parameter) => ({ ...parameter, schema: resolve(parameter.schema) }));
  const open = described
    .filter((parameter) => parameter.in === "query" && parameter.schema.type === "string")
    .filter(({ schema }) => schema.enum === undefined && schema.format !== "date-time")
    .filter(({ schema: { pattern = "" } }) => !ids.test(pattern) && !words.test(pattern));
  return [...new Set(open.map(({ name }) => name))].toSorted();
}

type Parameter = {
  in: string;
  name: string;
  schema: { type?: string; enum?: readonly string[]; format?: string; pattern?: string };
};

test.each([
  ["gateway-client/1.4.0 node/24.11.0", "gateway-client/1.4.0 node/24.11.0"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"],
  ["curl/8.1 token=abc", "curl/8.1 …"],
  ["Bearer eyJhbGciOiJSUzI1NiJ9.e30.abc", "… …"],
  ["curl/8.1 hunter22 swordfish", "curl/8.1 … …"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2",
  ],
  [
    "acme-payroll/2.1 (Windows NT 10.0; Win64; x64; rv:133.0)",
    "acme-payroll/2.1 (Windows NT 10.0; Win64; x64; rv:133.0)",
  ],
  ["me@example.com", "…"],
  ["Darwin 23_5_0 203.0.113.9", "Darwin 23_5_0 …"],
  ["4111.1111.1111.1111", "…"],
  ["service/1a2b3c4d5e6f7a8b", "…"],
  ["axios/1.7.0-beta.2 Python/3.13.0rc1", "axios/1.7.0-beta.2 Python/3.13.0rc1"],
  ["Chrome/120.0.6099.109 Safari/605.1.15 Mobile/15E148", "Chrome/120.0.6099.109 Safari/605.1.15 Mobile/15E148"],
  ["a".repeat(300), "…"],
])("of the User-Agent %s is kept %s", (given, kept) => {
  expect(trimUserAgent(given)).toBe(kept);
});
