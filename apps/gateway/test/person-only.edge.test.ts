import type { Account, Permission, Role } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { expectHeard } from "./support/expect-heard.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const startMs = Date.UTC(2026, 5, 1);
const nowSeconds = startMs / 1000;

/** One of the operations for people only; all of them are tried below. */
const decide: Ask = {
  method: "POST",
  target: "/api/v1/address-book",
  body: { network: "ethereum", address: "0x52908400098527886e0f7030069857d2e4169ee7", name: "Supplier" },
};
/** An operation that every caller may use. */
const other: Ask = { target: "/api/v1/account" };

let account: Account;
const clock = createTestClock(startMs);

const issuer = useIssuer();
const gateway = useGateway({ clock, issuer, keepsStill: true });
beforeAll(async () => {
  account = await gateway.createAccount();
});

function mint(grant: TestGrant, claims: object): Promise<string> {
  return mintToken(issuer, grant, { nowMs: startMs, claims });
}

const entryCount = async (): Promise<number> =>
  (await gateway.database.kysely.selectFrom("address_book_entries").select("id").execute()).length;

describe("who may do what only people may", () => {
  const keyPermissions: readonly Permission[] = ["read", "write", "admin"];
  const roles: readonly Role[] = ["viewer", "member", "owner"];
  const agesSeconds = [null, 0, 299, 300, 301, 3600, 86_400] as const;
  const factors = [{ amr: ["pwd"] }, { amr: ["hwk", "user", "mfa"], acr: "https://refeds.org/profile/mfa" }] as const;

  /** The rule, written again in other words than the pipeline's: null when the caller is allowed. */
  function judge(isConsole: boolean, role: Role, ageSeconds: number | null): string | null {
    if (!isConsole) {
      return "PERSON_REQUIRED";
    }
    if (role !== "owner") {
      return "FORBIDDEN";
    }
    return ageSeconds !== null && ageSeconds <= 300 ? null : "FRESH_SIGN_IN_REQUIRED";
  }

  async function expectAnswer(headers: Record<string, string>, expected: string | null): Promise<void> {
    const before = await entryCount();
    expect(codeOf(await gateway.call({ ...decide, headers }))).toBe(expected);
    expect((await gateway.call({ ...other, headers })).status).toBe(200);
    expect(await entryCount()).toBe(expected === null ? before + 1 : before);
  }

  test.each(keyPermissions)("a key with %s may not, and may do all else", async (permission) => {
    const { secret } = await gateway.createKey(account, permission);
    await expectAnswer({ "X-API-Key": secret }, judge(false, "owner", 0));
  });

  test.each([true, false].flatMap((isConsole) => roles.map((role) => ({ isConsole, role }))))(
    "a $role, by the console: $isConsole, with a sign-in of each age, with one factor and with two",
    async ({ isConsole, role }) => {
      const grant = await createTestGrant(gateway, account, { role, isConsole });
      for (const ageSeconds of agesSeconds) {
        for (const factor of factors) {
          const time = ageSeconds === null ? {} : { auth_time: nowSeconds - ageSeconds };
          await expectAnswer(bearer(await mint(grant, { ...time, ...factor })), judge(isConsole, role, ageSeconds));
        }
      }
    },
  );
});

describe.each(allOperations.filter(({ personRequired }) => personRequired))("$operationId", (operation) => {
  test("no key may, nor another application, a member, or an old sign-in: nothing is written", async () => {
    const sample = { platform: gateway.platform, accountId: account.id, database: gateway.database };
    const request = await sampleRequest(operation, sample);
    const { secret } = await gateway.createKey(account, "admin");
    const fresh = { auth_time: nowSeconds };
    const [owner, member, byApplication] = [
      await createTestGrant(gateway, account, { isConsole: true }),
      await createTestGrant(gateway, account, { isConsole: true, role: "member" }),
      await createTestGrant(gateway, account),
    ];
    const attempts: [string, Record<string, string>][] = [
      ["PERSON_REQUIRED", { "X-API-Key": secret }],
      ["PERSON_REQUIRED", bearer(await mint(byApplication, fresh))],
      ["FORBIDDEN", bearer(await mint(member, fresh))],
      ["FRESH_SIGN_IN_REQUIRED", bearer(await mint(owner, { auth_time: nowSeconds - 301 }))],
      ["FRESH_SIGN_IN_REQUIRED", bearer(await mint(owner, {}))],
    ];
    const before = await digestDatabase(gateway.database);
    for (const [code, headers] of attempts) {
      expect(codeOf(await gateway.call({ ...request, headers }))).toBe(code);
    }
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });
});

describe("a sign-in that is too old", () => {
  let owner: TestGrant;
  beforeAll(async () => {
    owner = await createTestGrant(gateway, account, { isConsole: true });
  });
  const ask = async (claims: object, headers: Record<string, string> = {}): Promise<Answer> =>
    gateway.call({ ...decide, headers: { ...bearer(await mint(owner, claims)), ...headers } });

  test("is challenged as in RFC 9470, and told how old it may be", async () => {
    const { status, headers, json } = await ask({ auth_time: nowSeconds - 301 });
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toMatch(
      /^Bearer realm="gateway", error="insufficient_user_authentication", max_age="300", error_description="[^"]+"$/,
    );
    expect(json).toMatchObject({
      error: {
        code: "FRESH_SIGN_IN_REQUIRED",
        message:
          "This needs a person who signed in within the last 5 minutes. Sign in again, and repeat the request with the new access token.",
      },
    });
  });

  test("grows old while its token is still good", async () => {
    const token = await mint(owner, { auth_time: nowSeconds });
    const at = async (seconds: number): Promise<number> => {
      clock.set(startMs + seconds * 1000);
      return (await gateway.call({ ...decide, headers: bearer(token) })).status;
    };
    expect([await at(299), await at(301), await at(300)]).toEqual([201, 401, 201]);
    clock.set(startMs);
  });

  test("an answer is one person's: another owner with the same Idempotency-Key gets 409, and not what the first one did", async () => {
    const key = { "Idempotency-Key": "decided-by-one-owner" };
    expect((await ask({ auth_time: nowSeconds }, key)).status).toBe(201);
    const other = await createTestGrant(gateway, account, { isConsole: true });
    const token = await mint(other, { auth_time: nowSeconds });
    const answer = await gateway.call({ ...decide, headers: { ...bearer(token), ...key } });
    expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });

  test("is asked for before an answer is given again", async () => {
    const key = { "Idempotency-Key": "decided-once" };
    expect((await ask({ auth_time: nowSeconds }, key)).status).toBe(201);
    expect((await ask({ auth_time: nowSeconds - 301 }, key)).status).toBe(401);
    const { status, headers } = await ask({ auth_time: nowSeconds - 299 }, key);
    expect({ status, replayed: headers["idempotency-replayed"] }).toEqual({ status: 201, replayed: "true" });
  });

  test.each([
    ["absent", undefined],
    ["text", String(nowSeconds)],
    ["no whole number", nowSeconds + 0.5],
    ["zero", 0],
    ["negative", -1],
    ["null", null],
    ["after the token was issued", nowSeconds + 1],
    ["in milliseconds", startMs],
  ])("a time that is %s proves nothing", async (_name, time) => {
    expect((await ask({ auth_time: time })).status).toBe(401);
  });
});

test("a person who is demoted is refused, whatever their token says", async () => {
  const grant = await createTestGrant(gateway, account, { isConsole: true });
  await createTestGrant(gateway, account);
  const headers = bearer(await mint(grant, { auth_time: nowSeconds }));
  expect((await gateway.call({ ...decide, headers })).status).toBe(201);
  await gateway.platform.transaction(({ accounts }) =>
    accounts.people.changeRole({ id: grant.personId, accountId: account.id, role: "member" }),
  );
  await expectHeard(async () => codeOf(await gateway.call({ ...decide, headers })) === "FORBIDDEN");
});

test("no page may use the console's token, not even one of the console", async () => {
  const grant = await createTestGrant(gateway, account, { isConsole: true, redirectUri: "http://localhost:8083/back" });
  const headers = { ...bearer(await mint(grant, { auth_time: nowSeconds })), Origin: "http://localhost:8083" };
  expect(codeOf(await gateway.call({ ...decide, headers }))).toBe("FORBIDDEN");
});

function codeOf({ json }: Answer): string | null {
  return (json as { error?: { code: string } }).error?.code ?? null;
}
