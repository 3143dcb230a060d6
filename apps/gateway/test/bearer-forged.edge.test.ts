import { createTestClock } from "@gateway/testkit";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { forgeries, type Forging } from "./support/forged-tokens.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { createTestSigningKey, signRs, writeToken } from "./support/signing-key.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";
import { claimsOf, createTestGrant, mintToken } from "./support/test-issuer.ts";

const target = "/api/v1/wallets";
const clock = createTestClock(Date.UTC(2026, 5, 1));

let forging: Forging;
let trap: Server;
let trapped = 0;
const freshClient = createFreshClients();
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer, env: behindProxy });

beforeAll(async () => {
  trap = createServer((socket) => {
    trapped += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  const { key } = issuer;
  const grant = await createTestGrant(gateway, await gateway.createAccount());
  forging = {
    nowSeconds: clock.now() / 1000,
    header: { alg: "RS256", typ: "at+jwt", kid: key.kid },
    claims: claimsOf(issuer, grant, { nowMs: clock.now() }),
    key,
    stranger: createTestSigningKey(),
    // A listening TCP server has an address of this kind.
    trapUrl: `http://127.0.0.1:${(trap.address() as AddressInfo).port}`,
  };
});
afterAll(() => new Promise((resolve) => trap.close(resolve)));

const call = (authorization: string): Promise<Answer> =>
  gateway.call({ target, headers: { ...freshClient(), Authorization: authorization } });

function expectRefused(answer: Answer): void {
  expect(answer).toMatchObject({
    status: 401,
    headers: { "www-authenticate": expect.stringContaining('error="invalid_token"') },
    json: { error: { code: "UNAUTHENTICATED" } },
  });
}

describe("a forged access token", () => {
  test("differs from a good one, which the same parts make", async () => {
    const good = writeToken(forging.header, forging.claims, signRs(forging.key.privateKey));
    expect((await call(`Bearer ${good}`)).status).toBe(200);
  });

  test.each(forgeries)("%s: 401", async (_name, forge) => {
    const token = await forge(forging);
    const answer = await call(`Bearer ${token}`);
    expectRefused(answer);
    const tail = token.slice(-40);
    expect(tail.length > 10 && `${answer.text}${JSON.stringify(answer.headers)}`.includes(tail)).toBe(false);
  });

  test("makes us ask nobody but the identity provider, and that no more than twice while the clock stands", () => {
    expect(new Set(forgeries.map(([name]) => name)).size).toBeGreaterThanOrEqual(150);
    expect(trapped).toBe(0);
    expect(issuer.requestCount()).toBeLessThanOrEqual(2);
  });

  test.each<[string, (token: string) => string]>([
    ["two spaces", (token) => `Bearer  ${token}`],
    ["a tab", (token) => `Bearer\t${token}`],
    ["a space in the token", (token) => `Bearer ${token.slice(0, 50)} ${token.slice(50)}`],
    ["two tokens", (token) => `Bearer ${token}, Bearer ${token}`],
    ["a parameter behind it", (token) => `Bearer ${token}, realm="gateway"`],
    ["quotation marks", (token) => `Bearer "${token}"`],
    ["percent-encoded dots", (token) => `Bearer ${token.replaceAll(".", "%2E")}`],
    ["the scheme twice", (token) => `Bearer Bearer ${token}`],
    ["a character that is not ASCII", (token) => `Bearer ${token}\u00e9`],
    ["no token", () => "Bearer"],
  ])("a good token, sent with %s: 401", async (_name, write) => {
    const token = writeToken(forging.header, forging.claims, signRs(forging.key.privateKey));
    expectRefused(await call(write(token)));
  });

  test.each<[string, string, number]>([
    [
      "a line folded in the middle",
      "GET /api/v1/wallets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer TOK\r\n EN\r\n\r\n",
      400,
    ],
    ["a bare line feed", "GET /api/v1/wallets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer TOK\nEN\r\n\r\n", 400],
    [
      "100 kB of it",
      `GET /api/v1/wallets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${"A".repeat(100_000)}\r\n\r\n`,
      431,
    ],
  ])("%s never becomes a request", async (_name, request, status) => {
    const token = await mintToken(issuer, await createTestGrant(gateway, await gateway.createAccount()), {
      nowMs: clock.now(),
    });
    const bytes = request.replace("TOK", token.slice(0, 100)).replace("EN", token.slice(100));
    expect((await askRaw(gateway.port, bytes)).status).toBe(status);
  });
});

describe("a good token", () => {
  test("whose grant is of another account, user or application than it says: 401, each way", async () => {
    const one = await createTestGrant(gateway, await gateway.createAccount());
    const other = await createTestGrant(gateway, await gateway.createAccount());
    for (const mixed of [
      { ...one, grantId: other.grantId },
      { ...one, accountId: other.accountId },
      { ...one, userId: other.userId },
      { ...one, applicationId: other.applicationId },
    ]) {
      expectRefused(await call(`Bearer ${await mintToken(issuer, mixed, { nowMs: clock.now() })}`));
    }
  });
});
