import type { Account } from "@gateway/platform/accounts";
import { waitFor } from "@gateway/testkit";
import type { ServerResponse } from "node:http";
import { exampleEvent } from "@gateway/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import { answerJson, moneyServices, upstreamEnv } from "./support/test-upstream.ts";
import { useGateway, useUpstream } from "./support/use-gateway.ts";

const timeoutMs = 20_000;
const wallets = "/api/v1/wallets";
const wallet = exampleEvent("wallet.created").data.object;
const savings = { name: "Savings", currency: "EUR" };

const upstream = useUpstream();
const env = (patienceMs: number) => ({
  ...upstreamEnv(upstream.url, moneyServices),
  UPSTREAM_TIMEOUT_MS: String(patienceMs),
});
const gateway = useGateway(() => ({ env: env(timeoutMs) }));
/** The same gateway with a short timeout, for an upstream that never responds. */
const hasty = useGateway(() => ({ databaseUrl: gateway.databaseUrl, env: env(300) }));
let account: Account;
let key: string;

beforeEach(async () => {
  upstream.answer = taken;
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "write")).secret;
});

const taken = (res: ServerResponse): void => answerJson(res, 201, { data: wallet, meta: {} });
const create = (idempotencyKey?: string, body: object = savings, at = gateway): Promise<Answer> =>
  at.call({
    method: "POST",
    target: wallets,
    key,
    ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
    body,
  });
const sentKeys = (): unknown[] => upstream.received.map(({ headers }) => headers["idempotency-key"]);
const claims = () =>
  gateway.database.kysely.selectFrom("idempotency_claims").selectAll().where("account_id", "=", account.id).execute();

describe("a forwarded write with an idempotency key", () => {
  test("that timed out and is repeated reaches the upstream with the same derived key", async () => {
    upstream.answer = () => {};
    expect(await create("k", savings, hasty)).toMatchObject(refused("UPSTREAM_TIMEOUT"));
    upstream.answer = taken;
    expect(await create("k")).toMatchObject({ status: 201 });
    const [first, second] = sentKeys();
    expect(first).toEqual(expect.stringMatching(/^[\w-]{43}$/));
    expect(second).toBe(first);
    expect(await create("k")).toMatchObject({ status: 201, headers: { "idempotency-replayed": "true" } });
    expect(upstream.received).toHaveLength(2);
    expect(await claims()).toEqual([]);
  });

  test("gets another derived key in another account, and for another key", async () => {
    await create("k");
    await create("l");
    const other = await gateway.createKey(await gateway.createAccount(), "write");
    const headers = { "Idempotency-Key": "k" };
    await gateway.call({ method: "POST", target: wallets, key: other.secret, headers, body: savings });
    expect(new Set(sentKeys()).size).toBe(3);
  });

  test("without one none is sent, and nothing is stored", async () => {
    await create();
    await create();
    expect(sentKeys()).toEqual([undefined, undefined]);
    expect(await claims()).toEqual([]);
  });

  test("whose outcome nobody knows keeps its key from another request", async () => {
    upstream.answer = (res) => res.socket?.resetAndDestroy();
    expect(await create("k")).toMatchObject({ status: 502 });
    expect(await create("k", { name: "Other", currency: "EUR" })).toMatchObject(refused("IDEMPOTENCY_KEY_REUSED"));
    expect(upstream.received).toHaveLength(1);
  });

  test("that is refused frees its key for another request", async () => {
    upstream.answer = (res) =>
      answerJson(res, 409, { error: { code: "EXTERNAL_ID_USED", message: "Used." }, meta: {} });
    expect(await create("k")).toMatchObject(refused("EXTERNAL_ID_USED"));
    upstream.answer = taken;
    expect(await create("k", { name: "Other", currency: "EUR" })).toMatchObject({ status: 201 });
  });

  test("of 20 that arrive together one goes, and the others are told to wait", async () => {
    const waiting: ServerResponse[] = [];
    upstream.answer = (res) => void waiting.push(res);
    const refusal: Answer[] = [];
    const answers = Array.from({ length: 20 }, async () => {
      const answer = await create("k");
      refusal.push(answer);
      return answer;
    });
    await waitFor(() => (refusal.length === 19 ? true : null));
    expect(refusal.map(({ json }) => (json as { error: { code: string } }).error.code)).toEqual(
      Array.from({ length: 19 }, () => "IDEMPOTENCY_IN_PROGRESS"),
    );
    waiting.forEach(taken);
    const statuses = (await Promise.all(answers)).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect(upstream.received).toHaveLength(1);
  });

  test("that was under way in a process that was killed goes on when its lease ends: after the timeout and 5 s", async () => {
    upstream.answer = () => {};
    await create("k", savings, hasty);
    const { kysely } = gateway.database;
    const lease = (seconds: number) =>
      kysely
        .updateTable("idempotency_claims")
        .set({ leased_until: new Date(Date.now() + seconds * 1000) })
        .where("account_id", "=", account.id)
        .execute();
    upstream.answer = taken;
    await lease(3_600);
    expect(await create("k")).toMatchObject(refused("IDEMPOTENCY_IN_PROGRESS"));
    await lease(-1);
    expect(await create("k")).toMatchObject({ status: 201 });
  });

  test("is leased for the timeout and 5 s", async () => {
    const waiting: ServerResponse[] = [];
    upstream.answer = (res) => void waiting.push(res);
    const answer = create("k");
    await waitFor(() => (waiting.length === 1 ? true : null));
    const [claim] = await claims();
    expect((claim?.leased_until.getTime() ?? 0) - (claim?.created_at.getTime() ?? 0)).toBe(timeoutMs + 5_000);
    waiting.forEach(taken);
    expect(await answer).toMatchObject({ status: 201 });
  });

  test("holds no database connection while it waits", async () => {
    const waiting: ServerResponse[] = [];
    upstream.answer = (res) => void waiting.push(res);
    // The pool has 10.
    const answers = Array.from({ length: 40 }, (_, number) => create(`k${number}`));
    await waitFor(() => (waiting.length === 40 ? true : null));
    waiting.forEach(taken);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  });
});
