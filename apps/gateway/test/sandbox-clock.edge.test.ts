import { mostAheadMs } from "@gateway/platform/gateway";
import { timeOfId } from "@gateway/kernel";
import { holdLock, runStatement, useEach, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { comparable, invalid } from "./support/answers.ts";
import { createWebhookClient, dispatchAll, type EventBody, type WebhookClient } from "./support/webhook-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { ask } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const mostSeconds = 34_560_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const { gateway, clock } = useGatewayAtNoon();
const owner = useEach(() => createWebhookClient(gateway));

type Clock = { now: string; aheadSeconds: number };
type Advanced = { now: string; transitions: number; remaining: number };

const clockOf = (client: WebhookClient): Promise<Clock> => client.ask("GET", "/sandbox/clock");
const advance = (client: WebhookClient, seconds: number): Promise<Advanced> =>
  client.ask("POST", "/sandbox/clock/advance", { seconds });

async function expectRefused(seconds: unknown, issue: string | RegExp): Promise<void> {
  expect(await owner.call("POST", "/sandbox/clock/advance", { seconds })).toMatchObject(
    invalid(["seconds", expect.stringMatching(issue)]),
  );
}

/** The account's pending deliveries. */
async function waiting({ account }: WebhookClient) {
  const rows = await gateway.database.kysely
    .selectFrom("pending_deliveries")
    .selectAll()
    .where("account_id", "=", account.id)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    eventId: row.event_id,
    waitMs: row.due_at.getTime() - clock.now(),
    creditMs: row.credit_ms,
    position: row.schedule_position,
  }));
}

async function createdOf({ account }: WebhookClient) {
  const rows = await gateway.database.kysely
    .selectFrom("events")
    .select(["id", "created_at"])
    .where("account_id", "=", account.id)
    .execute();
  return rows.map(({ id, created_at: at }) => ({ id, aheadMs: at.getTime() - timeOfId(id) }));
}

describe("the clock of an account", () => {
  test("goes with the real time until it is moved, and from then on ahead of it", async () => {
    const before = await clockOf(owner);
    expect(before.aheadSeconds).toBe(0);
    expect(Math.abs(Date.parse(before.now) - clock.now())).toBeLessThan(minuteMs);
    const advanced = await advance(owner, 3600);
    expect(advanced).toMatchObject({ transitions: 0, remaining: 0 });
    const after = await clockOf(owner);
    expect(after.aheadSeconds).toBe(3600);
    expect(Date.parse(after.now)).toBeGreaterThanOrEqual(Date.parse(advanced.now));
    expect(Date.parse(advanced.now)).toBeGreaterThanOrEqual(Date.parse(before.now) + hourMs);
  });

  test("takes 1 and 34,560,000 seconds, and neither less nor more nor parts of one", async () => {
    await expectRefused(0, /at least 1/);
    await expectRefused(-1, /at least 1/);
    await expectRefused(mostSeconds + 1, /at most 34560000/);
    await expectRefused(1.5, /./);
    await expectRefused("60", /./);
    expect((await clockOf(owner)).aheadSeconds).toBe(0);
    await advance(owner, 1);
    await advance(owner, mostSeconds);
    expect((await clockOf(owner)).aheadSeconds).toBe(mostSeconds + 1);
  });

  test("is 10 years ahead at most; what would pass that is refused, says how much is left, and moves nothing", async () => {
    for (let count = 0; count < 9; count += 1) {
      await advance(owner, mostSeconds);
    }
    const left = mostAheadMs / 1000 - 9 * mostSeconds;
    await expectRefused(
      left + 1,
      `^must be at most ${left}, because the clock may be at most 10 years ahead in total$`,
    );
    await advance(owner, left);
    await expectRefused(1, /^must be at most 0,/);
    expect((await clockOf(owner)).aheadSeconds).toBe(mostAheadMs / 1000);
    await owner.createWallet();
    const [event] = await owner.listEvents();
    expect(Date.parse(event?.created ?? "")).toBeGreaterThan(clock.now() + mostAheadMs - minuteMs);
  });

  test("counts every advance of 20 at once, each at a time of its own", async () => {
    const seconds = Array.from({ length: 20 }, (_, index) => 1_000 + index);
    const answers = await Promise.all(seconds.map((one) => advance(owner, one)));
    const sum = seconds.reduce((total, one) => total + one, 0);
    expect((await clockOf(owner)).aheadSeconds).toBe(sum);
    expect(new Set(answers.map(({ now }) => now)).size).toBe(20);
  });
});

describe("while the clock is moved, what writes in the account waits for it and has locked nothing else:", () => {
  test.each<[name: string, prepare: () => Promise<[path: string, body?: unknown]>]>([
    ["money that moves", async () => [`/sandbox/wallets/${(await owner.createWallet()).id}/fund`, { amount: 100 }]],
    ["a wallet that is closed", async () => [`/wallets/${(await owner.createWallet()).id}/close`]],
    ["a ledger account", async () => ["/ledger-accounts", { name: "Fees", currency: "EUR" }]],
    ["a webhook", async () => ["/webhooks", { url: "https://example.com/in", events: ["wallet.created"] }]],
  ])("%s", async (_name, prepare) => {
    const [path, body] = await prepare();
    const lock = await holdLock(
      gateway.databaseUrl,
      `select pg_advisory_xact_lock(hashtextextended('sandbox clock ${owner.account.id}', 0))`,
    );
    const answer = owner.call("POST", path, body, { "Idempotency-Key": "waits" });
    await waitFor(async () => (await locksOfWaiting()) !== null);
    expect(await locksOfWaiting()).toEqual([]);
    await lock.release();
    expect((await answer).status).toBeLessThan(300);
  });

  /** Locks that the backend waiting for an advisory lock holds; null while no backend waits. */
  async function locksOfWaiting(): Promise<unknown[] | null> {
    const { rows } = await sql<{ held: unknown[] }>`
      select coalesce(json_agg(concat_ws(' ', held.locktype, held.mode, held.relation::regclass))
        filter (where held.pid is not null), '[]') as held
      from pg_locks waiting left join pg_locks held
        on held.pid = waiting.pid and held.granted and held.locktype <> 'virtualxid'
      where waiting.locktype = 'advisory' and not waiting.granted
        and waiting.database = (select oid from pg_database where datname = current_database())
      group by waiting.pid
    `.execute(gateway.database.kysely);
    return rows[0]?.held ?? null;
  }
});

describe("deliveries that wait", () => {
  beforeEach(async () => {
    await owner.createWebhook();
  });

  test("are due by so much sooner, and what they do not need is kept for the waits after", async () => {
    await owner.createWallet();
    await dispatchAll(gateway, { outcome: "http_error" });
    await advance(owner, 30);
    const [first] = await waiting(owner);
    expect(first?.creditMs).toBe(0);
    expect(first?.waitMs).toBeLessThanOrEqual(30_000);
    expect(first?.waitMs).toBeGreaterThan(0);
    await advance(owner, 30 + 5 * 60 + 60);
    expect((await waiting(owner))[0]).toMatchObject({ position: 1, waitMs: expect.closeTo(0, -4) });
    await dispatchAll(gateway, { outcome: "http_error" });
    // The advance also covered the 5 minutes before the third attempt. The rest of the credit is spent on the 30
    // minutes after it.
    const [last] = await waiting(owner);
    expect(last).toMatchObject({ position: 3, creditMs: 0 });
    expect(last?.waitMs).toBeGreaterThan(28 * minuteMs);
    expect(last?.waitMs).toBeLessThan(31.5 * minuteMs);
  });

  test("that are sent again begin a schedule of their own, without the time that was let pass before", async () => {
    await owner.createWallet();
    await advance(owner, 15 * 3600);
    const [delivery] = await owner.listDeliveries();
    await owner.ask("POST", `/deliveries/${delivery?.id}/resend`);
    await dispatchAll(gateway, { outcome: "http_error" });
    expect(await waiting(owner)).toMatchObject([{ position: 1, creditMs: 0 }]);
  });

  test("of what is written while the clock is moved have passed with it, or begin after it: nothing between", async () => {
    const moves = Array.from({ length: 5 }, () => advance(owner, 600));
    const creations = Array.from({ length: 20 }, () => owner.createWallet());
    await Promise.all([...moves, ...creations]);
    const created = new Map((await createdOf(owner)).map(({ id, aheadMs }) => [id, aheadMs]));
    const rows = await waiting(owner);
    expect(rows).toHaveLength(20);
    for (const { eventId, creditMs } of rows) {
      const wasAheadMs = Math.round((created.get(eventId) ?? NaN) / 600_000) * 600_000;
      expect(wasAheadMs + creditMs).toBe(3_000_000);
    }
  });
});

describe("the time of the account", () => {
  const ahead = 10 * 86_400;

  test("is that of events and of what happens to wallets; of the API itself and of ids it is the real one", async () => {
    await advance(owner, ahead);
    const webhook = await owner.createWebhook();
    const answer = await owner.call("POST", "/wallets", { name: "Payroll", currency: "EUR" });
    const wallet = (answer.json as { data: { createdAt: string } }).data;
    const [event] = await owner.listEvents();
    expect(event).toMatchObject({ created: wallet.createdAt, data: { object: wallet } });
    expect(aheadOf(wallet.createdAt)).toBe(ahead);
    expect(Math.abs(timeOfId(event?.id ?? "") - clock.now())).toBeLessThan(minuteMs);
    const [delivery] = await owner.listDeliveries();
    const { timestamp } = (answer.json as { meta: { timestamp: string } }).meta;
    const real = [webhook.createdAt, delivery?.createdAt ?? "", delivery?.nextAttemptAt ?? "", timestamp];
    expect(real.map(aheadOf)).toEqual([0, 0, 0, 0]);
    expect(Number(answer.headers["x-ratelimit-reset"]) - clock.now() / 1000).toBeLessThan(62);
  });

  test("is that of test events too, and credentials live as long as before", async () => {
    const webhook = await owner.createWebhook();
    const key = await gateway.createKey(owner.account, "read", new Date(clock.now() + hourMs));
    await advance(owner, ahead);
    await owner.ask("POST", `/webhooks/${webhook.id}/test`, { type: "kyc.verified" });
    expect((await owner.listEvents()).map(({ created }) => aheadOf(created))).toEqual([ahead]);
    expect((await gateway.call({ target: "/api/v1/account", key: key.secret })).status).toBe(200);
  });

  test("is that of replays: since then the events happened, and all that are kept can be had", async () => {
    const webhook = await owner.createWebhook();
    await owner.createWallet("before");
    await advance(owner, ahead);
    await owner.createWallet("after");
    await dispatchAll(gateway, { outcome: "delivered" });
    const replay = (sinceMs: number) =>
      owner.call("POST", `/webhooks/${webhook.id}/replay`, { since: new Date(sinceMs).toISOString() });
    const count = (of: number): object => ({ status: 200, json: { data: { count: of } } });
    const nowMs = Date.parse((await clockOf(owner)).now);
    expect(await replay(nowMs - hourMs)).toMatchObject(count(1));
    await dispatchAll(gateway, { outcome: "delivered" });
    expect(await replay(nowMs - ahead * 1000 - hourMs)).toMatchObject(count(2));
    expect(await replay(clock.now() - 29 * 24 * hourMs)).toMatchObject({ status: 200 });
    expect(await replay(nowMs + minuteMs)).toMatchObject({ status: 400 });
    expect(await replay(clock.now() - 31 * 24 * hourMs)).toMatchObject({ status: 400 });
  });

  /** Seconds, rounded to days. */
  function aheadOf(time: string): number {
    return Math.round(Math.abs(Date.parse(time) - clock.now()) / (24 * hourMs)) * 86_400;
  }
});

describe("what is only in the sandbox", () => {
  const sandboxOnly = allOperations.filter((operation) => operation.sandboxOnly);
  const credentials = ["none", "admin"] as const;

  let keys: Record<(typeof credentials)[number], Record<string, string>>;

  describe("in production", () => {
    const { gateway, clock } = useGatewayAtNoon({ env: { ...behindProxy, LIVEMODE: "true" } });
    beforeAll(async () => {
      const account = await gateway.createAccount();
      keys = { none: {}, admin: { "X-API-Key": (await gateway.createKey(account, "admin")).secret } };
    });
    const freshClient = createFreshClients();

    const cases = sandboxOnly.flatMap(({ path }) =>
      ["GET", "POST"].flatMap((method) => credentials.map((credential) => ({ path, method, credential }))),
    );

    test.each(cases)(
      "$method $path with the credential $credential is answered as a path that never was",
      async ({ path, method, credential }) => {
        const headers = { ...freshClient(), ...keys[credential] };
        const target = path.replaceAll(/\{\w+\}/g, "x");
        const body = method === "POST" || method === "PUT" ? { seconds: 1 } : undefined;
        const found = await ask(gateway.port, { method, target, headers, body });
        const unknown = await ask(gateway.port, {
          method,
          target: target.replace("sandbox", "kxzqvwj"),
          headers,
          body,
        });
        expect(found.status).toBe(404);
        expect(comparable(found)).toEqual(comparable(unknown));
      },
    );

    test("no clock is asked for and none is there: what happens has the real time", async () => {
      await runStatement(gateway.databaseUrl, "drop function hold_sandbox_clock");
      await runStatement(gateway.databaseUrl, "drop table sandbox_clocks");
      const owner = await createWebhookClient(gateway);
      const { id } = await owner.createWebhook();
      await owner.createWallet();
      await owner.ask("POST", `/webhooks/${id}/test`, { type: "kyc.verified" });
      const since = new Date(clock.now() - 60_000).toISOString();
      expect(await owner.ask("POST", `/webhooks/${id}/replay`, { since })).toMatchObject({ count: 0 });
      for (const { created } of await owner.listEvents()) {
        expect(Date.parse(created)).toBe(clock.now());
      }
    });
  });

  describe("in the sandbox", () => {
    test("the same operations are there, in the document under its one server, and what they move is seen", async () => {
      const sandbox = await startTestGateway();
      const owner = await createWebhookClient(sandbox);
      await owner.createWallet();
      expect(await owner.ask("GET", "/sandbox/clock")).toMatchObject({ aheadSeconds: 0 });
      await owner.ask("POST", "/sandbox/clock/advance", { seconds: 3600 });
      await owner.createWallet();
      const [later, earlier] = (await owner.listEvents()) as [EventBody, EventBody];
      expect(Date.parse(later.created) - Date.parse(earlier.created)).toBeGreaterThanOrEqual(3_600_000);
      await sandbox.stop();
    });
  });
});
