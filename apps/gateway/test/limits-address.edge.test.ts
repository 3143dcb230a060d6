import { createApiKeySecret } from "@gateway/platform/accounts";
import { describe, expect, test } from "vitest";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";
import { atOnce } from "./support/answers.ts";

/** A trusted proxy names the address of the client, so one machine can play many clients. */
describe("the limit of an address", () => {
  const gateway = useGateway({ env: { TRUSTED_PROXIES: "127.0.0.1" }, rateLimitWindowSeconds: 3_600 });
  const direct = useGateway({ rateLimitWindowSeconds: 3_600 });

  const callFrom = (address: string, key?: string): Promise<Answer> =>
    gateway.call({
      target: "/api/v1/wallets",
      headers: { "X-Forwarded-For": address, ...(key !== undefined && { "X-API-Key": key }) },
    });

  test("guessing keys ends after 10 guesses a minute, whatever key is tried", async () => {
    const guesses = [undefined, "", "nonsense", createApiKeySecret(true)];
    const answers = await atOnce(40, (index) =>
      callFrom("192.0.2.1", index < guesses.length ? guesses[index] : createApiKeySecret(false)),
    );
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 30 });
    expect(answers.every((answer) => limitHeadersOf(answer).limit === 10)).toBe(true);
    const remaining = answers.filter(({ status }) => status === 401).map((answer) => limitHeadersOf(answer).remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    ["with a port", (last: number) => `198.18.7.${last}:50001`],
    ["of IPv6 with a port", (last: number) => `[2001:db8:7:${last}::1]:50001`],
    ["in brackets", (last: number) => `[2001:db8:8:${last}::1]`],
    ["behind what a client made up", (last: number) => `unknown, 198.18.8.${last}:443`],
  ])("an address %s is an address, and one does not use up another's limit", async (_form, addressOf) => {
    const first = await atOnce(12, () => callFrom(addressOf(1)));
    expect(countStatuses(first)).toEqual({ 401: 10, 429: 2 });
    expect((await callFrom(addressOf(2))).status).toBe(401);
  });

  test("of what is no address, the proxy that says so is counted", async () => {
    const remaining = async (entry: string) => limitHeadersOf(await callFrom(entry)).remaining;
    const before = await remaining("unknown");
    expect([await remaining("_hidden"), await remaining("127.0.0.1")]).toEqual([before - 1, before - 2]);
  });

  test("a revoked key counts by address too, and a good key from an exhausted address still works", async () => {
    const account = await gateway.createAccount();
    const revoked = await gateway.createKey(account, "read");
    await gateway.platform.accounts.apiKeys.revoke({ id: revoked.id, accountId: account.id });
    const answers = await atOnce(12, () => callFrom("192.0.2.2", revoked.secret));
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 2 });
    const { secret } = await gateway.createKey(account, "read");
    expect((await callFrom("192.0.2.2", secret)).status).toBe(200);
  });

  test("unknown paths without a credential are counted as well", async () => {
    const answers = await atOnce(12, (index) =>
      gateway.call({ target: `/${index}`, headers: { "X-Forwarded-For": "192.0.2.3" } }),
    );
    expect(countStatuses(answers)).toEqual({ 404: 10, 429: 2 });
  });

  test("the addresses of one IPv6 /64 share a bucket; the next /64 and an IPv4 neighbour have their own", async () => {
    const answers = await atOnce(12, (index) => callFrom(`2001:db8:1:2:${index}::${index}`));
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 2 });
    for (const address of ["2001:db8:1:3::1", "192.0.2.4"]) {
      expect(limitHeadersOf(await callFrom(address))).toMatchObject({ limit: 10, remaining: 9 });
    }
  });

  test("an IPv4 address in IPv6 clothing is the same client", async () => {
    await atOnce(9, () => callFrom("192.0.2.5"));
    expect(limitHeadersOf(await callFrom("::ffff:192.0.2.5"))).toMatchObject({ remaining: 0 });
    expect((await callFrom("192.0.2.5")).status).toBe(429);
  });

  test("X-Forwarded-For of a client that is no trusted proxy opens no new bucket", async () => {
    const answers = await atOnce(12, (index) =>
      direct.call({ target: "/api/v1/wallets", headers: { "X-Forwarded-For": `192.0.2.${index}` } }),
    );
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 2 });
  });
});
