import { createTypeId } from "@gateway/kernel";
import { waitFor, type DatabaseTestClock } from "@gateway/testkit";
import { verifySignature } from "@gateway/webhooks";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunningDispatcher } from "../src/start-dispatcher.ts";
import { startReceiver, statuses, type TestReceiver } from "./support/receiver.ts";
import { createWorld, type TestWebhook, type World } from "./support/world.ts";

const minuteMs = 60_000;
const waitsMs = [1, 5, 30, 120, 720].map((minutes) => minutes * minuteMs);

let clock: DatabaseTestClock;
let world: World;
let receiver: TestReceiver;
let webhook: TestWebhook;
let canary: TestWebhook;
let dispatcher: RunningDispatcher;
/** The world's time at which each request to /hooks came. */
let heardAtMs: number[];

beforeEach(async () => {
  heardAtMs = [];
  world = await createWorld({ standsStill: true });
  clock = world.clock;
  receiver = await startReceiver(await world.authority.issue());
  webhook = await world.createWebhook({ url: receiver.url });
  canary = await world.createWebhook({ url: `https://localhost:${receiver.port}/canary` });
  dispatcher = await startDispatcher();
});

afterEach(async () => {
  await world.stop();
  await receiver.close();
});

/**
 * A wait begins with the end of its attempt. The world's clock does not move, so that end is recorded too early by the
 * time that writing it takes. Retries are placed in the middle of their tolerance, so that this does not make them
 * early, however busy the machine.
 */
function startDispatcher(): Promise<RunningDispatcher> {
  return world.startDispatcher({ random: () => 0.5 });
}

const hooks = () => receiver.received.filter((request) => request.path === "/hooks");

/** The canary is written now. Once it is delivered, the dispatcher has looked at everything that is due now. */
async function lookAround(): Promise<void> {
  // Moving the clock sends no notification.
  await sql`select pg_notify('deliveries_due', '')`.execute(world.database.kysely);
  const [id] = await world.send(canary);
  await waitFor(async () =>
    (await world.deliveries(canary)).some((row) => row.event_id === id && row.status === "delivered"),
  );
  await waitFor(isNothingDue);
}

/** Whether due attempts are recorded. A webhook that is not enabled holds its deliveries. */
async function isNothingDue(): Promise<boolean> {
  const rows = await world.deliveries(webhook);
  return (
    (await world.statusOf(webhook)) !== "enabled" ||
    rows.every((row) => row.due_at === null || row.due_at.getTime() > clock.now())
  );
}

/**
 * Nothing arrives a millisecond before the wait ends. The attempt has arrived when another tenth of the wait has
 * passed.
 */
async function expectRetryAfter(waitMs: number, count: number): Promise<void> {
  await clock.advance(waitMs - 1);
  await lookAround();
  expect(hooks()).toHaveLength(count - 1);
  await clock.advance(1 + waitMs / 10);
  await lookAround();
  expect(hooks()).toHaveLength(count);
}

/** Only the webhook under test responds so; the canary always succeeds. */
function answerHooks(...list: number[]): void {
  const answer = statuses(...list);
  receiver.answerWith((res, request, req) => {
    if (request.path !== "/hooks") {
      res.writeHead(200).end();
      return;
    }
    heardAtMs.push(clock.now());
    answer(res, request, req);
  });
}

describe.each([
  ["in one process", async () => {}],
  [
    "also when the process is restarted between any two attempts",
    async () => {
      await dispatcher.stop();
      dispatcher = await startDispatcher();
    },
  ],
])("a receiver that always fails is tried at the table's times, %s", (_name, between) => {
  test("six attempts, then failed, one warning and one alert; new events are held until it is enabled, then oldest first", async () => {
    answerHooks(500);
    await world.send(webhook);
    await lookAround();
    expect(hooks()).toHaveLength(1);
    for (const [index, waitMs] of waitsMs.entries()) {
      await between();
      expect(await world.mails()).toHaveLength(index < 2 ? 0 : 1);
      await expectRetryAfter(waitMs, index + 2);
    }
    expect(await world.deliveries(webhook)).toMatchObject([{ status: "failed", attempt_count: 6, due_at: null }]);
    expect(await world.statusOf(webhook)).toBe("failed");
    expect((await world.mails()).map((mail) => mail.kind)).toEqual(["webhook_warning", "webhook_failed"]);
    await expectSameEventFreshlySigned();
    await expectHeldUntilEnabled(between);
  });
});

test("each attempt names the request that caused the event, and none where none did; the body stays as it was", async () => {
  answerHooks(500, 200, 200);
  const requestId = createTypeId("req");
  await setStandstill(async () => {
    const [id = ""] = await world.send(webhook);
    await sql`update events set request_id = ${requestId} where id = ${id}`.execute(world.database.kysely);
  });
  await lookAround();
  await expectRetryAfter(minuteMs, 2);
  expect(hooks().map((request) => request.requestId)).toEqual([requestId, requestId]);
  expect(new Set(hooks().map(({ body }) => body)).size).toBe(1);
  await world.send(webhook);
  await lookAround();
  expect(hooks()[2]?.requestId).toBeNull();
});

/** Events recorded during the standstill are sent afterwards. */
async function setStandstill(work: () => Promise<void>): Promise<void> {
  await world.setStatus(webhook, "disabled");
  await work();
  await world.setStatus(webhook, "enabled");
}

async function expectSameEventFreshlySigned(): Promise<void> {
  expect(new Set(hooks().map((request) => request.body)).size).toBe(1);
  const attempts = await world.attempts(webhook);
  for (const [index, request] of hooks().entries()) {
    const nowMs = heardAtMs[index] ?? NaN;
    const nowSeconds = nowMs / 1000;
    const { started_at: startedAt, duration_ms: durationMs } = attempts[index] ?? {};
    const endedAtMs = Number(startedAt) + Number(durationMs);
    expect(endedAtMs).toBeLessThanOrEqual(nowMs);
    expect(endedAtMs).toBeGreaterThan(nowMs - minuteMs);
    expect(
      await verifySignature({
        body: request.body,
        header: request.signature,
        secret: webhook.secret,
        nowSeconds,
        toleranceSeconds: 0,
      }),
    ).toMatchObject({ isValid: true, timestampSeconds: nowSeconds });
  }
}

async function expectHeldUntilEnabled(between: () => Promise<void>): Promise<void> {
  const held: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    await clock.advance(1_000);
    held.push(...(await world.send(webhook)));
  }
  await clock.advance(1_000 * minuteMs);
  await between();
  await lookAround();
  expect(hooks()).toHaveLength(6);
  answerHooks(200);
  await world.setStatus(webhook, "enabled");
  await waitFor(() => hooks().length === 18);
  // Oldest first, five in flight together: at most four earlier ones are still in flight when one arrives.
  const order = hooks()
    .slice(6)
    .map((request) => held.indexOf(request.id));
  expect(order.toSorted((left, right) => left - right)).toEqual(held.map((_id, index) => index));
  order.forEach((position, index) => {
    expect(order.slice(index + 1).filter((later) => later < position).length).toBeLessThan(5);
  });
  expect((await world.mails()).length).toBe(2);
}

describe("a success ends the schedule", () => {
  test("500, 500, 200: three attempts and no mail", async () => {
    answerHooks(500, 500, 200);
    await world.send(webhook);
    await lookAround();
    await expectRetryAfter(waitsMs[0] ?? 0, 2);
    await expectRetryAfter(waitsMs[1] ?? 0, 3);
    await clock.advance(1_000 * minuteMs);
    await lookAround();
    expect(hooks()).toHaveLength(3);
    expect(await world.deliveries(webhook)).toMatchObject([{ status: "delivered", attempt_count: 3 }]);
    expect(
      (await world.attempts(webhook)).map((row) => [row.number, row.outcome, row.http_status, row.is_manual]),
    ).toEqual([
      [1, "http_error", 500, false],
      [2, "http_error", 500, false],
      [3, "delivered", 200, false],
    ]);
    expect(await world.mails()).toEqual([]);
  });

  test("a webhook that was warned about and recovers is warned about again, once", async () => {
    const warnings = async (): Promise<number> => (await world.mails()).length;
    for (const round of [1, 2]) {
      answerHooks(500);
      await world.send(webhook, { count: 3 });
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await lookAround();
        await clock.advance(6 * minuteMs);
      }
      expect(await warnings()).toBe(round);
      answerHooks(200);
      await clock.advance(60 * minuteMs);
      await lookAround();
    }
    expect(await world.statusOf(webhook)).toBe("enabled");
  });
});

describe("one mail per change of state", () => {
  test("ten deliveries that fail together make one warning and one alert; a webhook disabled meanwhile makes none", async () => {
    const disabled = await world.createWebhook({ url: receiver.url });
    answerHooks(500);
    await world.send(webhook, { count: 10 });
    await world.send(disabled, { count: 2 });
    await lookAround();
    await waitFor(async () => (await world.attempts(disabled)).length === 2);
    await world.setStatus(disabled, "disabled");
    for (const waitMs of waitsMs) {
      await clock.advance(waitMs * 1.1);
      await lookAround();
    }
    await waitFor(async () => (await world.statusOf(webhook)) === "failed");
    expect((await world.mails()).map((mail) => [mail.kind, mail.webhook_id])).toEqual([
      ["webhook_warning", webhook.id],
      ["webhook_failed", webhook.id],
    ]);
    expect(await world.attempts(disabled)).toHaveLength(2);
  });
});
