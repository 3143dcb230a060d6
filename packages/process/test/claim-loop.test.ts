import { createLogger, systemClock } from "@gateway/kernel";
import { waitFor } from "@gateway/testkit";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startClaimLoop, type ClaimLoop, type ClaimLoopDeps } from "../src/index.ts";
import { createFakeQueue, createItems, type FakeItem } from "./support/fake-queue.ts";

const hourMs = 3_600_000;
const accounts = ["a", "b", "c", "d", "e"];
let loop: ClaimLoop;
let log: string[];
/** Items in flight, which the test ends. */
let underWay: Map<FakeItem, () => void>;
let done: FakeItem[];

beforeEach(() => {
  log = [];
  underWay = new Map();
  done = [];
});
afterEach(() => loop.stop(0));

function start(
  queue: Pick<ClaimLoopDeps<FakeItem>, "claim" | "release">,
  overrides: Partial<ClaimLoopDeps<FakeItem>> = {},
): void {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, written) => {
      log.push(chunk.toString());
      written();
    },
  });
  loop = startClaimLoop<FakeItem>({
    name: "things",
    slots: 10,
    accountOf: ({ account }) => account,
    claim: queue.claim,
    release: queue.release,
    work: (item) =>
      new Promise((resolve) => {
        underWay.set(item, () => {
          underWay.delete(item);
          done.push(item);
          resolve();
        });
      }),
    findNextDueMs: async () => null,
    clock: systemClock,
    logger: createLogger({ name: "test", level: "debug", destination }),
    ...overrides,
  });
}

function endAll(): void {
  [...underWay.values()].forEach((end) => end());
}

test("what is due is done once, never more at a time than there are slots, nor more of one account than its fifth", async () => {
  const items = createItems(100, accounts);
  const queue = createFakeQueue([...items]);
  start(queue);
  let most = 0;
  let mostOfOne = 0;
  await waitFor(() => {
    most = Math.max(most, underWay.size);
    const counts = accounts.map((account) => [...underWay.keys()].filter((item) => item.account === account).length);
    mostOfOne = Math.max(mostOfOne, ...counts);
    endAll();
    return done.length === 100;
  });
  expect({ most, mostOfOne }).toEqual({ most: 10, mostOfOne: 2 });
  expect(new Set(done)).toEqual(new Set(items));
});

test("an account that has all the work gets a fifth of the slots, and the others' goes on beside it", async () => {
  const queue = createFakeQueue(createItems(50, ["greedy"]));
  start(queue);
  await waitFor(() => underWay.size === 2);
  queue.pending.push({ id: 1000, account: "modest" });
  loop.wake();
  await waitFor(() => [...underWay.keys()].some(({ account }) => account === "modest"));
  expect(underWay.size).toBe(3);
  expect(queue.claims.at(-1)?.heldByAccount["greedy"]).toBeGreaterThanOrEqual(2);
});

test("a wake that comes during a claim is not lost", async () => {
  const queue = createFakeQueue();
  const claimed = Promise.withResolvers<void>();
  const claim: typeof queue.claim = async (limits) => {
    const items = await queue.claim(limits);
    await (queue.claims.length === 1 && claimed.promise);
    return items;
  };
  start({ ...queue, claim }, { pollMs: hourMs });
  await waitFor(() => queue.claims.length === 1);
  queue.pending.push({ id: 1, account: "a" });
  loop.wake();
  claimed.resolve();
  await waitFor(() => underWay.size === 1);
  expect(queue.pending).toEqual([]);
});

test("without a wake, what falls due is claimed at its time", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = createFakeQueue();
  const dueMs = Date.now() + 60_000;
  start(queue, { pollMs: hourMs, findNextDueMs: async () => dueMs });
  await vi.advanceTimersByTimeAsync(59_999);
  const claimedBefore = queue.claims.length;
  await vi.advanceTimersByTimeAsync(1);
  expect(queue.claims.slice(claimedBefore).map(({ nowMs }) => nowMs)).toEqual([dueMs]);
});

test("without a wake and without knowing when, it polls", async () => {
  const queue = createFakeQueue();
  start(queue, { pollMs: 5 });
  await waitFor(() => queue.claims.length > 3);
  expect(queue.claims[0]).toMatchObject({ slots: 10, perAccount: 2, heldByAccount: {} });
});

test("while what is done is not written, nothing more is claimed", async () => {
  const queue = createFakeQueue(createItems(5, accounts));
  let isBehind = true;
  start(queue, { isBehind: () => isBehind });
  loop.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.claims).toEqual([]);
  isBehind = false;
  loop.wake();
  await waitFor(() => underWay.size === 5);
});

test("a queue that is away is asked again until it is back, and the outage is told once", async () => {
  const queue = createFakeQueue(createItems(1, accounts));
  queue.fail(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
  start(queue);
  await waitFor(() => queue.claims.length >= 3);
  queue.fail(null);
  await waitFor(() => underWay.size === 1);
  expect(log.filter((line) => line.includes("the database is unavailable"))).toHaveLength(1);
});

test("work that fails is logged and harms no other", async () => {
  const queue = createFakeQueue(createItems(3, accounts));
  start(queue, {
    work: async (item) => {
      if (item.id === 0) {
        throw new Error("broken");
      }
      done.push(item);
    },
  });
  await waitFor(() => done.length === 2);
  await waitFor(() => log.length > 0);
  expect(log).toEqual([expect.stringContaining("falls due again when its lease ends")]);
});

test("a stop claims nothing more, waits for what is under way, and gives back what was not begun", async () => {
  const items = createItems(25, accounts);
  const queue = createFakeQueue();
  let claims = 0;
  // Claims more items than it has slots, as after a moment of quick work.
  start({ ...queue, claim: async () => (claims++ === 0 ? items : []) });
  await waitFor(() => underWay.size === 10);
  const stopping = loop.stop(60_000);
  await waitFor(() => queue.released.length === 15);
  expect(underWay.size).toBe(10);
  endAll();
  await stopping;
  expect(new Set([...done, ...queue.released])).toEqual(new Set(items));
  expect(claims).toBe(1);
});

test("a stop is over at its deadline, also with work that never ends", async () => {
  const queue = createFakeQueue(createItems(1, accounts));
  start(queue);
  await waitFor(() => underWay.size === 1);
  await loop.stop(10);
  expect(underWay.size).toBe(1);
});
