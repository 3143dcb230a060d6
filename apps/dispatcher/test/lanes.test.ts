import type { DueDelivery, FinishedAttempt, QueueTurn } from "@gateway/platform/events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLanes, type Lanes } from "../src/lanes.ts";

type Sent = { delivery: DueDelivery; end(options?: { tookMs?: number; outcome?: FinishedAttempt["outcome"] }): void };

let sent: Sent[];
let lanes: Lanes;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function create(slots: number): void {
  lanes = createLanes({
    slots,
    attempt: (delivery) =>
      new Promise((resolve) => {
        const startedAt = performance.now();
        sent.push({
          delivery,
          end: ({ tookMs = 1, outcome = "delivered" } = {}) => {
            vi.advanceTimersByTime(Math.max(0, startedAt + tookMs - performance.now()));
            const result = { outcome, httpStatus: 200, responseStart: null, durationMs: tookMs };
            resolve({ delivery, endedAt: performance.now(), ...result });
          },
        });
      }),
    maySend: () => true,
    onChange: () => {},
  });
}

function turnOf(name: string, { accountId = `acc_${name}`, isProven = true } = {}): QueueTurn {
  return { webhookId: name, accountId, fence: 1, isProven };
}

/** Fills every read like a queue with `left` deliveries. */
function feed(left: Map<string, number>): void {
  for (let requests = lanes.takeReads(); requests.length > 0; requests = lanes.takeReads()) {
    lanes.addRead(
      requests,
      requests.flatMap(({ turn, room, after }) => {
        const total = left.get(turn.webhookId) ?? 0;
        const from = after === null ? 0 : Number(after.id) + 1;
        return Array.from({ length: Math.max(0, Math.min(room, total - from)) }, (_, index) =>
          deliveryOf(turn.webhookId, from + index),
        );
      }),
    );
  }
}

function deliveryOf(webhookId: string, number: number): DueDelivery {
  const id = String(number);
  const place = { dueAt: id, id };
  const known = { webhookId, accountId: `acc_${webhookId}`, fence: 1, eventId: id, url: "https://example.com" };
  const secrets = { secret: Buffer.alloc(0), previousSecret: null, previousSecretEndsAt: null };
  const event = { body: "{}", requestId: null, eventRecordedAtMs: 0 };
  return { id: `${webhookId} ${id}`, ...known, ...secrets, ...event, attemptCount: 0, schedulePosition: 0, place };
}

/** Ends an attempt and closes its delivery. */
async function finish(one: Sent | undefined, options?: Parameters<Sent["end"]>[0]): Promise<void> {
  one?.end(options);
  await Promise.resolve();
  await Promise.resolve();
  if (one) {
    lanes.close(one.delivery, { isRetried: false });
  }
}

const underWay = (webhookId: string): number => sent.filter(({ delivery }) => delivery.webhookId === webhookId).length;

describe("how many attempts at once a receiver gets", () => {
  test("one at first, whatever its past, then more with each quick success, five at most", async () => {
    create(100);
    lanes.add([turnOf("a")]);
    const left = new Map([["a", 100]]);
    const seen: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      feed(left);
      seen.push(sent.length);
      for (const one of sent.splice(0)) {
        await finish(one);
        feed(left);
      }
    }
    expect(seen[0]).toBe(1);
    expect(Math.max(...seen)).toBeLessThanOrEqual(5);
  });

  test("one again after an attempt of more than a second, also one that is answered well", async () => {
    create(100);
    lanes.add([turnOf("a")]);
    const left = new Map([["a", 100]]);
    feed(left);
    await finish(sent.shift(), { tookMs: 1_000 });
    feed(left);
    expect(sent, "a second is quick").toHaveLength(2);
    await finish(sent.shift(), { tookMs: 1_001 });
    await finish(sent.shift(), { tookMs: 1_001 });
    feed(left);
    expect(sent).toHaveLength(1);
    expect(lanes.takeEnded({ all: true })).toMatchObject([{ webhookId: "a", isProven: false }]);
  });

  test("a quick failure takes nothing away", async () => {
    create(100);
    lanes.add([turnOf("a")]);
    const left = new Map([["a", 100]]);
    feed(left);
    await finish(sent.shift());
    feed(left);
    await finish(sent.shift(), { outcome: "http_error" });
    feed(left);
    expect(sent).toHaveLength(2);
  });
});

describe.each([5, 8, 64, 512])("of %i slots", (slots) => {
  test("receivers that are not proven hold half at most, proven ones find the others", () => {
    create(slots);
    const names = Array.from({ length: slots * 2 }, (_, index) => `slow${index}`);
    lanes.add(names.map((name) => turnOf(name, { isProven: false })));
    feed(new Map(names.map((name) => [name, 3])));
    expect(sent).toHaveLength(Math.floor(slots / 2));
    lanes.add([turnOf("quiet")]);
    feed(new Map([["quiet", 1]]));
    expect(underWay("quiet")).toBe(1);
  });

  test("an account holds a fifth at most, and all together no more than there are", () => {
    create(slots);
    const own = Array.from({ length: slots }, (_, index) => turnOf(`own${index}`, { accountId: "acc_own" }));
    lanes.add(own);
    feed(new Map(own.map(({ webhookId }) => [webhookId, 3])));
    expect(sent).toHaveLength(Math.max(1, Math.floor(slots / 5)));
    const others = Array.from({ length: slots * 2 }, (_, index) => turnOf(`other${index}`));
    lanes.add(others);
    feed(new Map(others.map(({ webhookId }) => [webhookId, 1])));
    expect(sent).toHaveLength(slots);
    expect(lanes.measure().openCount).toBe(slots);
  });
});

test("a receiver with nothing under way waits for none of those that have all they may, and comes before them", async () => {
  create(16);
  const busy = Array.from({ length: 7 }, (_, index) => `busy${index}`);
  const left = new Map(busy.map((name) => [name, 100]));
  lanes.add(busy.map((name) => turnOf(name)));
  feed(left);
  for (const one of sent.splice(0)) {
    await finish(one);
    feed(left);
  }
  expect(lanes.measure().openCount, "an eighth is kept").toBe(14);
  const quiet = ["quiet0", "quiet1", "quiet2"];
  lanes.add(quiet.map((name) => turnOf(name)));
  for (const name of ["busy0", "busy1"]) {
    sent.find(({ delivery }) => delivery.webhookId === name)?.end();
  }
  await Promise.resolve();
  feed(new Map([...left, ...quiet.map((name) => [name, 1] as const)]));
  expect(quiet.map(underWay)).toEqual([1, 1, 0]);
  lanes.close(deliveryOf("busy0", 1), { isRetried: false });
  expect(quiet.map(underWay)).toEqual([1, 1, 1]);
});

describe("a turn", () => {
  test("ends a second after the last delivery, at once when others wait or a retry is due later", async () => {
    create(10);
    lanes.add([turnOf("a"), turnOf("b")]);
    feed(
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
    const [a, b] = sent;
    await finish(a);
    expect(lanes.takeEnded({})).toEqual([]);
    b?.end({ outcome: "http_error" });
    await Promise.resolve();
    await Promise.resolve();
    lanes.close(deliveryOf("b", 0), { isRetried: true });
    feed(new Map());
    expect(lanes.takeEnded({})).toMatchObject([{ webhookId: "b" }]);
    vi.advanceTimersByTime(1_000);
    expect(lanes.takeEnded({})).toMatchObject([{ webhookId: "a" }]);
    expect(lanes.count()).toBe(0);
  });

  test("ends after 100 ms while others wait, though its queue is full", async () => {
    create(10);
    lanes.add([turnOf("a")]);
    const left = new Map([["a", 1_000]]);
    feed(left);
    expect(lanes.takeEnded({ isCrowded: true })).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(lanes.takeEnded({ isCrowded: true }), "what is under way ends first").toEqual([]);
    await finish(sent.shift());
    feed(left);
    expect(sent, "nothing new is begun").toEqual([]);
    expect(lanes.takeEnded({ isCrowded: true })).toMatchObject([{ webhookId: "a", isProven: true }]);
  });
});

test("what was read of a webhook that changed meanwhile is void, and is read again", () => {
  create(10);
  lanes.add([turnOf("a")]);
  const before = lanes.takeReads();
  lanes.touch("a", { isChanged: true });
  lanes.addRead(before, [deliveryOf("a", 0)]);
  expect(sent).toEqual([]);
  feed(new Map([["a", 1]]));
  expect(sent).toHaveLength(1);
});

test("what was recorded while a read was under way is not sent again, though that read still saw it", async () => {
  create(10);
  lanes.add([turnOf("a")]);
  feed(new Map([["a", 1]]));
  lanes.touch("a");
  const reads = lanes.takeReads();
  expect(reads).toMatchObject([{ after: null }]);
  await finish(sent[0]);
  lanes.addRead(reads, [deliveryOf("a", 0)]);
  expect(sent).toHaveLength(1);
  expect(lanes.measure().openCount).toBe(0);
});

test("what is lost is forgotten: a late outcome counts for nothing, and the slots are free", async () => {
  create(5);
  lanes.add([turnOf("a", { isProven: false })]);
  feed(new Map([["a", 1]]));
  lanes.drop();
  expect(lanes.measure()).toMatchObject({ openCount: 0, unprovenCount: 0, topAccounts: [] });
  await finish(sent[0]);
  expect(lanes.measure()).toMatchObject({ openCount: 0, unprovenCount: 0, topAccounts: [] });
});
