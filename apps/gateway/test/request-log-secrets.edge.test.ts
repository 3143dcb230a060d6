import { createApiKeySecret } from "@gateway/platform";
import { waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { trimPath, trimQuery, trimUserAgent } from "../src/request-log/trim.ts";
import { sql } from "kysely";
import { startGatewayAtNoon } from "./support/gateway-at-noon.ts";
import type { TestGateway } from "./support/test-gateway.ts";

let gateway: TestGateway;

beforeAll(async () => {
  // Where time stands still no fraction of a second is a code by chance.
  ({ gateway } = await startGatewayAtNoon());
});
afterAll(() => gateway.stop());

const random = (): string => randomBytes(24).toString("base64url");

/** What may be a secret, as people have them. */
const secrets: Record<string, () => string> = {
  "an API key": () => createApiKeySecret(false),
  "a live API key": () => createApiKeySecret(true),
  "a webhook secret": () => `whsec_${random()}`,
  "a JWT": () => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIx${random()}.${random()}`,
  "an authorization code": () => random(),
  "a refresh token": () => `${random()}${random()}`,
  "a password": () => `Tr0ub4dor&${randomBytes(3).toString("hex")}!`,
  "a code of an authenticator": () => "914523",
};

type Planted = { method?: string; target: string; headers?: Record<string, string>; body?: string | undefined };

/** Where it ends up by mistake. */
const places: Record<string, (secret: string) => Planted> = {
  "the path of nothing": (secret) => ({ target: `/api/v1/login/${encodeURIComponent(secret)}` }),
  "the path of an operation": (secret) => ({ target: `/api/v1/api-keys/${encodeURIComponent(secret)}` }),
  "a parameter": (secret) => ({ target: `/api/v1/wallets?externalId=${encodeURIComponent(secret)}` }),
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
  await waitFor(async () => (await requestLog.list({ ...own, limit: 100 })).items.length === sent);

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
    ["/api/v1/wallets/wal_01kk96r47yfjerprpgzd5v28dc/", "/api/v1/wallets/wal_01kk96r47yfjerprpgzd5v28dc/"],
    ["/api/v1/wallets/gk_test_abcdefghijklmnop", "/api/v1/wallets/…"],
    ["/whsec_abc/eyJhbGci/ey", "/…/…/…"],
    ["/login/hunter2", "/login/…"],
    ["/a%20b/c", "/…/c"],
    [`/${"a".repeat(40)}/${"b".repeat(41)}`, `/${"a".repeat(40)}/…`],
  ])("%s is kept as %s", (path, kept) => {
    expect(trimPath(path)).toBe(kept);
  });

  test("no more than 128 characters are kept", () => {
    expect(trimPath(`/${"word/".repeat(100)}`).length).toBeLessThanOrEqual(130);
  });
});

test.each(["cursor", "after"])("of the parameter %s nothing is kept, whatever it looks like", (name) => {
  expect(trimQuery({ [name]: "Tr0ub4dor", limit: 20 })).toBe(`${name}=…&limit=20`);
});

test.each([
  ["gateway-client/1.4.0 node/24.11.0", "gateway-client/1.4.0 node/24.11.0"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", "Mozilla/5.0 (X11; Linux … AppleWebKit/537.36"],
  ["curl/8.1 token=abc", "curl/8.1 …"],
  ["Bearer eyJhbGciOiJSUzI1NiJ9.e30.abc", "Bearer …"],
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
