import { timeOfId } from "@gateway/kernel";
import { startOwnPostgres, waitFor } from "@gateway/testkit";
import { expect, onTestFinished, test } from "vitest";
import { startTestGateway, type TestGatewayOptions } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, startTestIssuer } from "./support/test-issuer.ts";

/** A gateway on a Postgres of its own, which the test may stop from answering. */
async function startApart(options: TestGatewayOptions = {}) {
  const postgres = await startOwnPostgres();
  onTestFinished(() => postgres.end());
  const gateway = await startTestGateway({ databaseUrl: postgres.url, databaseLimits: {}, ...options });
  onTestFinished(() => gateway.stop());
  return { postgres, gateway };
}

test("what known callers ask while Postgres does not answer is listed when it does, and no gap is told", async () => {
  const { postgres, gateway } = await startApart();
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "read");
  // After this the key is cached for a few seconds, without Postgres.
  expect((await gateway.call({ target: "/api/v1/wallets", key })).status).toBe(200);
  await postgres.freeze();
  const answers = await Promise.all(Array.from({ length: 5 }, () => gateway.call({ target: "/api/v1/wallets", key })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  const sent = answers.map(({ headers }) => String(headers["x-request-id"]));
  await postgres.thaw();

  const page = () => gateway.platform.requestLog.list({ accountId: account.id, onlyOf: null, limit: 100 });
  const listed = async (): Promise<string[]> =>
    page().then(
      ({ items }) => items.map(({ id }) => id),
      () => [],
    );
  await waitFor(async () => new Set(sent).isSubsetOf(new Set(await listed())));
  expect((await listed()).filter((id) => sent.includes(id))).toHaveLength(sent.length);
  expect((await page()).gaps).toEqual([]);
});

test("so is what they ask once no cached credential is trusted any more, by key and by token", async () => {
  const issuer = await startTestIssuer();
  onTestFinished(() => issuer.stop());
  const { postgres, gateway } = await startApart({ issuer });
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "read");
  const headers = bearer(await mintToken(issuer, await createTestGrant(gateway, account)));
  const askBoth = () =>
    Promise.all([{ key }, { headers }].map((as) => gateway.call({ target: "/api/v1/wallets", ...as })));
  expect((await askBoth()).map(({ status }) => status)).toEqual([200, 200]);
  await postgres.freeze();
  const answers = [await askBoth(), await askBoth(), await askBoth()].flat();
  await postgres.thaw();

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  const sent = answers.map(({ headers: { "x-request-id": id } }) => String(id));
  const list = () =>
    gateway.platform.requestLog.list({ accountId: account.id, onlyOf: null, limit: 100, status: "503" });
  const listed = () =>
    list().then(
      ({ items }) => items.map(({ id, code }) => `${id} ${code}`),
      () => [],
    );
  await waitFor(async () => (await listed()).length === sent.length);
  expect(await listed()).toEqual(
    sent
      .map((id) => `${id} UNAVAILABLE`)
      .toSorted()
      .toReversed(),
  );
});

test("of whom nobody can say anything a gap tells to all, and not how many they were", async () => {
  const { postgres, gateway } = await startApart();
  const [account, other] = [await gateway.createAccount(), await gateway.createAccount()];
  const { secret: key } = await gateway.createKey(account, "read");
  await postgres.freeze();
  const ask = (as: object) => gateway.call({ target: "/api/v1/wallets", ...as });
  const answers = await Promise.all([ask({ key }), ask({ key }), ask({})]);
  await postgres.thaw();

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 401]);
  const gaps = () =>
    gateway.platform.requestLog.list({ accountId: other.id, onlyOf: null, limit: 1 }).then(
      (page) => page.gaps,
      () => [],
    );
  // The operators' count stays in the table.
  const counts = () => gateway.database.kysely.selectFrom("request_log_gaps").select("count").execute();
  await waitFor(async () => (await counts()).some(({ count }) => count === 2));
  const [gap, ...others] = await gaps();
  expect({ count: gap?.count, others }).toEqual({ count: null, others: [] });
  for (const { headers } of answers.slice(0, 2)) {
    const atMs = timeOfId(String(headers["x-request-id"]));
    expect(gap?.from.getTime()).toBeLessThanOrEqual(atMs);
    expect(gap?.to.getTime()).toBeGreaterThanOrEqual(atMs);
  }
});
