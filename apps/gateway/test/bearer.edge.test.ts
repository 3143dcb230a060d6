import { scopes, type Account, type Permission, type Role, type Scope } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { atOnce, invalid } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, type MintOptions, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const reading: Ask = { target: "/api/v1/wallets" };
const writing: Ask = { method: "POST", target: "/api/v1/wallets", body: { name: "A", currency: "EUR" } };
const managing: Ask = { target: "/api/v1/api-keys" };

/** The start of a second, where the limits of a token's life are exact. */
const startMs = Date.UTC(2026, 5, 1);
const nowSeconds = startMs / 1000;

let account: Account;
let owner: TestGrant;
const clock = createTestClock(startMs);
const freshClient = createFreshClients();

const issuer = useIssuer();
const gateway = useGateway({ clock, issuer, env: behindProxy });
beforeAll(async () => {
  account = await gateway.createAccount();
  owner = await createTestGrant(gateway, account);
});

function mint(grant: TestGrant, options: MintOptions = {}): Promise<string> {
  return mintToken(issuer, grant, { nowMs: startMs, ...options });
}

function call(token: string, request: Ask = reading): Promise<Answer> {
  return gateway.call({ ...request, headers: { ...freshClient(), ...bearer(token) } });
}

describe("what an access token may do", () => {
  const all = scopes;
  const openidOnly = ["openid", "email", "profile"] as const;

  type Row = [
    role: Role,
    consented: Permission | null,
    asked: string | null,
    application: readonly Scope[],
    permission: string,
  ];
  /**
   * Written by hand: the person's role, the grant's permission, the token's scopes, the application's, and the
   * resulting permission.
   */
  const table: Row[] = [
    ["viewer", "admin", null, all, "read"],
    ["viewer", "admin", "openid read", all, "read"],
    ["viewer", "admin", "openid admin", all, "read"],
    ["member", "admin", null, all, "read"],
    ["member", "admin", "", all, "read"],
    ["member", "admin", "openid email profile", all, "read"],
    ["member", "admin", "read", all, "read"],
    ["member", "admin", "write", all, "write"],
    ["member", "admin", "admin", all, "write"],
    ["owner", "admin", null, all, "read"],
    ["owner", "admin", "openid", all, "read"],
    ["owner", "admin", "read", all, "read"],
    ["owner", "admin", "read write", all, "write"],
    ["owner", "admin", "write", all, "write"],
    ["owner", "admin", "admin", all, "admin"],
    ["owner", "admin", "openid read write admin", all, "admin"],
    ["owner", "admin", "ADMIN", all, "read"],
    ["owner", "admin", "administrator", all, "read"],
    ["owner", "write", "admin", all, "write"],
    ["owner", "read", "admin", all, "read"],
    ["owner", "read", null, all, "read"],
    ["owner", null, "admin", all, "none"],
    ["owner", null, null, all, "none"],
    ["owner", "admin", "admin", ["openid", "read"], "read"],
    ["owner", "admin", "admin", ["openid", "write"], "write"],
    ["owner", "admin", null, ["read"], "read"],
    ["viewer", "admin", "admin", ["admin"], "read"],
    ["owner", "admin", "admin", openidOnly, "none"],
    ["owner", "admin", null, openidOnly, "none"],
  ];
  const statuses: Record<string, number[]> = {
    none: [403, 403, 403],
    read: [200, 403, 403],
    write: [200, 201, 403],
    admin: [200, 201, 200],
  };

  test.each(table)(
    "%s, grant %j, scope %j, application %j: %s",
    async (role, consented, scope, registered, permission) => {
      const grant = await createTestGrant(gateway, account, {
        role,
        permission: consented,
        applicationScopes: registered,
      });
      const token = await mint(grant, { scope });
      const answers = await Promise.all([reading, writing, managing].map((request) => call(token, request)));
      expect(answers.map(({ status }) => status)).toEqual(statuses[permission]);
      const refused = answers.flatMap(({ status, headers }, at) =>
        status === 403 ? [[["read", "write", "admin"][at], headers["www-authenticate"]]] : [],
      );
      for (const [needed, challenge] of refused) {
        expect(challenge).toContain(`error="insufficient_scope", scope="${needed}"`);
      }
    },
  );
});

describe("the life of an access token", () => {
  test.each<[string, object, number]>([
    ["expired 4 s ago", { iat: nowSeconds - 60, exp: nowSeconds - 4 }, 200],
    ["expired 5 s ago", { iat: nowSeconds - 60, exp: nowSeconds - 5 }, 401],
    ["valid from 5 s on", { nbf: nowSeconds + 5 }, 200],
    ["valid from 6 s on", { nbf: nowSeconds + 6 }, 401],
    ["issued in 5 s", { iat: nowSeconds + 5, exp: nowSeconds + 60 }, 200],
    ["issued in 6 s", { iat: nowSeconds + 6, exp: nowSeconds + 60 }, 401],
    ["of an hour", { exp: nowSeconds + 3600 }, 200],
    ["of an hour and a second", { exp: nowSeconds + 3601 }, 401],
  ])("%s: %o gets %i", async (_name, claims, status) => {
    expect((await call(await mint(owner, { claims }))).status).toBe(status);
  });

  test("ends on time for a token that was verified before", async () => {
    const token = await mint(owner, { claims: { exp: nowSeconds + 10 } });
    expect((await call(token)).status).toBe(200);
    clock.set(startMs + 14_999);
    expect((await call(token)).status).toBe(200);
    clock.set(startMs + 15_000);
    expect(await call(token)).toMatchObject({
      status: 401,
      json: { error: { message: "The access token has expired. Refresh it." } },
    });
    clock.set(startMs);
  });
});

describe("where and how it is sent", () => {
  test.each<[string, object]>([
    ["an audience that is a list with us in it", { aud: ["https://other.example", "http://127.0.0.1:8080"] }],
    ["claims that we do not know", { cnf: {}, auth_time: 1 }],
  ])("%s is taken", async (_name, claims) => {
    expect((await call(await mint(owner, { claims }))).status).toBe(200);
  });

  test.each(["bearer", "BEARER", "bEaReR"])("the letter case of the scheme does not count: %s", async (scheme) => {
    const headers = { ...freshClient(), Authorization: `${scheme} ${await mint(owner)}` };
    expect((await gateway.call({ ...reading, headers })).status).toBe(200);
  });

  test("beside an API key, or twice: 400, and nothing is done", async () => {
    const token = await mint(owner);
    const { secret } = await gateway.createKey(account, "admin");
    const both = await gateway.call({ ...writing, key: secret, headers: bearer(token) });
    expect(both).toMatchObject(invalid("Authorization"));
    const twice = { Authorization: [`Bearer ${token}`, `Bearer ${token}`] };
    expect(await gateway.call({ ...writing, headers: twice })).toMatchObject(
      invalid(["Authorization", "must be sent only once"]),
    );
  });

  test("in the query, the body or a cookie it is not looked at", async () => {
    const token = await mint(owner);
    const places: Ask[] = [
      { target: `/api/v1/wallets?access_token=${token}` },
      { ...writing, body: { ...(writing.body as object), access_token: token } },
      { ...writing, headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: `access_token=${token}` },
      { ...reading, headers: { Cookie: `access_token=${token}` } },
    ];
    for (const place of places) {
      const answer = await gateway.call({ ...place, headers: { ...freshClient(), ...place.headers } });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="gateway"');
    }
  });

  test.each([
    ["nothing", {}],
    ["Basic", { Authorization: "Basic dTpw" }],
    ["DPoP", { Authorization: "DPoP eyJ0eXAi" }],
    ["an API key behind Bearer", { Authorization: "Bearer gk_test_0000" }],
    ["an API key that is none", { "X-API-Key": "gk_test_0000" }],
  ])("%s: the challenge names no error, for no token came", async (_name, headers) => {
    const answer = await gateway.call({ ...reading, headers: { ...freshClient(), ...headers } });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="gateway"']);
  });

  test.each<[string, MintOptions["claims"], RegExp]>([
    ["expired", { iat: nowSeconds - 100, exp: nowSeconds - 50 }, /expired\. Refresh it/],
    [
      "the sandbox's",
      { iss: "https://auth.sandbox.example" },
      /not issued by http:\/\/127\S+, .* sandbox .* production/,
    ],
    ["another API's", { aud: "https://other.example" }, /audience must be http:\/\/127\.0\.0\.1:8080/],
  ])("an answer says what is wrong with a token: %s", async (_name, claims, message) => {
    const answer = await call(await mint(owner, { ...(claims && { claims }) }));
    expect(answer).toMatchObject({ status: 401, json: { error: { message: expect.stringMatching(message) } } });
    expect(answer.headers["www-authenticate"]).toMatch(message);
  });

  test("a gateway without an identity provider takes none, and says so", async () => {
    const without = await startTestGateway();
    const answer = await without.call({ ...reading, headers: bearer(await mint(owner)) });
    await without.stop();
    expect(answer).toMatchObject({
      status: 401,
      json: { error: { message: expect.stringMatching(/no identity provider/) } },
    });
  });
});

describe("the limit", () => {
  test("counts an account's keys and tokens in one bucket", async () => {
    const limited = await gateway.createAccount({ tier: "starter" });
    const { secret } = await gateway.createKey(limited, "read");
    const tokens = await Promise.all(
      [1, 2].map(async () => mint(await createTestGrant(gateway, limited), { scope: "read" })),
    );
    const headers = [{ "X-API-Key": secret }, ...tokens.map(bearer)];
    const answers = await atOnce(40, (at) => gateway.call({ ...reading, headers: { ...headers[at % 3] } }));
    expect(countStatuses(answers)).toEqual({ 200: 30, 429: 10 });
    expect(new Set(answers.map((answer) => limitHeadersOf(answer).limit))).toEqual(new Set([30]));
  });

  test("counts wrong tokens by address: guessing ends after 10, and a good token still works there", async () => {
    const from = { "X-Forwarded-For": "192.0.2.77" };
    const wrong = await atOnce(12, async (at) =>
      gateway.call({ ...reading, headers: { ...from, ...bearer(await mint(owner, { claims: { exp: at } })) } }),
    );
    expect(countStatuses(wrong)).toEqual({ 401: 10, 429: 2 });
    expect((await gateway.call({ ...reading, headers: { ...from, ...bearer(await mint(owner)) } })).status).toBe(200);
  });
});

describe("the log line of a request", () => {
  test("names account, grant and user, and neither the token nor a part of it", async () => {
    const token = await mint(owner);
    const { headers } = await call(token);
    const text = gateway.logLines.find((line) => line.includes(headers["x-request-id"] ?? "none")) ?? "{}";
    expect(JSON.parse(text)).toMatchObject({ accountId: account.id, grantId: owner.grantId, userId: owner.userId });
    expect(JSON.parse(text)).not.toHaveProperty("apiKeyId");
    const [, claims = "", signature = ""] = token.split(".");
    expect(
      [claims.slice(0, 20), signature.slice(0, 20)].filter((part) => gateway.logLines.join().includes(part)),
    ).toEqual([]);
  });
});
