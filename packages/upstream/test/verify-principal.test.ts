import { SignJWT } from "jose";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMemoryReplayStore, PrincipalRefused, verifyPrincipal, type ReceivedRequest } from "../src/index.ts";

const secret = "4Zp0u3r7mWqYc1sVb9xKd6Jt2nLfGh8E";
const signedAt = Date.parse("2026-03-09T12:00:00Z");
const body = '{"name":"Savings"}';
const claims = {
  ...{ account: "acc_01kern7ck2exsrtpkeg8qrsn0h", permission: "write", livemode: false },
  ...{ credential: { kind: "apiKey", apiKeyId: "key_01kghsq31hfkftt8r0t9fm6d4b" } },
  ...{ method: "POST", target: "/api/v1/wallets" },
  bodySha256: createHash("sha256").update(body).digest("base64url"),
};

type Changed = { claims?: object; issuer?: string; audience?: string; secret?: string; seconds?: number };

function sign({ claims: changed = {}, issuer = "gateway", audience = "ledger", seconds = 60, ...more }: Changed = {}) {
  const at = signedAt / 1000;
  return new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti("req_01kk986py3fqz8e8jgnw6mrwcw")
    .setIssuedAt(at)
    .setExpirationTime(at + seconds)
    .sign(new TextEncoder().encode(more.secret ?? secret));
}

async function outcome(
  token: string,
  { afterMs = 0, replays = createMemoryReplayStore(), secrets = [secret], ...request }: Options = {},
): Promise<unknown> {
  const received = { method: "POST", target: "/api/v1/wallets", headers: { "x-gateway-principal": token }, body };
  return verifyPrincipal(
    { ...received, ...request },
    { secret: secrets, audience: "ledger", replays, now: () => signedAt + afterMs },
  ).catch((error: unknown) => (error instanceof PrincipalRefused ? error.reason : error));
}
type Options = Partial<ReceivedRequest> & {
  afterMs?: number;
  replays?: ReturnType<typeof createMemoryReplayStore>;
  secrets?: string[];
};

test("says who asks, in ids", async () => {
  expect(await outcome(await sign())).toEqual({
    ...{ accountId: claims.account, permission: "write", credential: claims.credential, livemode: false },
    requestId: "req_01kk986py3fqz8e8jgnw6mrwcw",
  });
});

describe("refuses what is", () => {
  test.each([
    ["signed with another secret", { secret: "x".repeat(32) }, {}, "forged"],
    ["of another audience", { audience: "identity" }, {}, "forged"],
    ["of another issuer", { issuer: "identity" }, {}, "forged"],
    ["good for ever, from 66 s on", { seconds: 1e9 }, { afterMs: 66_000 }, "stale"],
    ["of another body", {}, { body: `${body} ` }, "other_request"],
    ["of another target", {}, { target: "/api/v1/wallets?limit=1" }, "other_request"],
    ["of another method", {}, { method: "PATCH" }, "other_request"],
    ["without a header", {}, { headers: {} }, "missing"],
    ["with two headers", {}, { headers: { "x-gateway-principal": ["a", "b"] } }, "missing"],
  ] as const)("%s", async (_what, changed, request, reason) => {
    expect(await outcome(await sign(changed), request as Options)).toBe(reason);
  });

  test.each([
    [64_999, "object"],
    [66_000, "string"],
  ])("stale: after %i ms it is of the type %s, for clocks may differ by 5 s", async (afterMs, type) => {
    expect(typeof (await outcome(await sign(), { afterMs }))).toBe(type);
  });

  test("replayed: of 20 at once one write passes, and every read does", async () => {
    const replays = createMemoryReplayStore(() => signedAt);
    const token = await sign();
    const writes = await Promise.all(Array.from({ length: 20 }, () => outcome(token, { replays })));
    expect(writes.filter((one) => one === "replayed")).toHaveLength(19);
    const bodySha256 = createHash("sha256").update("").digest("base64url");
    const read = await sign({ claims: { method: "GET", bodySha256 } });
    const reads = Array.from({ length: 5 }, () => outcome(read, { replays, method: "GET", body: "" }));
    expect((await Promise.all(reads)).filter((one) => typeof one === "string")).toEqual([]);
  });
});

test("while the secret changes, both are taken", async () => {
  const secrets = ["another-secret-that-is-long-enough", secret];
  expect(await outcome(await sign(), { secrets })).toMatchObject({ accountId: claims.account });
  expect(await outcome(await sign(), { secrets, afterMs: 70_000 })).toBe("stale");
  expect(await outcome(await sign(), { secrets: secrets.slice(0, 1) })).toBe("forged");
});

test("the memory of what was used forgets what is past its time", async () => {
  let now = 0;
  const replays = createMemoryReplayStore(() => now);
  expect(await replays.addOnce("a", new Date(10))).toBe(true);
  now = 9;
  expect(await replays.addOnce("a", new Date(20))).toBe(false);
  now = 10;
  expect(await replays.addOnce("a", new Date(20))).toBe(true);
});
