import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { follow, type Told } from "../browser/data/follow.ts";

type Asked = {
  query: Record<string, unknown>;
  signal: AbortSignal;
  answer(answer: object): void;
  fail(fault: object): void;
};

/** Requests of the page, oldest first; a test answers them. */
const asked: Asked[] = [];

vi.mock("../browser/data/calls.ts", () => ({
  callApi: ({ query }: { query: Record<string, unknown> }, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      asked.push({ query, signal, answer: resolve, fail: reject });
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    }),
  faultOf: (fault: object) => fault,
}));
vi.mock("../browser/data/pace.ts", () => ({ paceFactor: () => 1 }));
vi.mock("gateway-api-client", () => ({ RateLimitError: class {} }));

/** The tabs of one browser: what one posts all others hear, and one at a time holds a lock. */
function createTabs() {
  const channels = new Set<EventTarget>();
  const queues = new Map<string, Promise<unknown>>();
  class Channel extends EventTarget {
    constructor() {
      super();
      channels.add(this);
    }
    postMessage(data: unknown): void {
      for (const other of channels) {
        if (other !== this) {
          other.dispatchEvent(new MessageEvent("message", { data }));
        }
      }
    }
    close(): void {
      channels.delete(this);
    }
  }
  const request = (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>): Promise<void> => {
    const before = queues.get(name) ?? Promise.resolve();
    const turn = before.then(() => (signal.aborted ? undefined : work()));
    queues.set(name, turn);
    return turn;
  };
  return { Channel, locks: { request } };
}

const page = Object.assign(new EventTarget(), { hidden: false });
const stops: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  page.hidden = false;
  const { Channel, locks } = createTabs();
  vi.stubGlobal("document", page);
  vi.stubGlobal("BroadcastChannel", Channel);
  vi.stubGlobal("navigator", { locks });
});
afterEach(() => {
  stops.splice(0).forEach((stop) => stop());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A tab, and what it hears. */
function openTab(): string[] {
  const heard: string[] = [];
  const hear = ({ kind, types = [] }: Told) => void heard.push([kind, ...types].join(" "));
  stops.push(follow({ accountId: "acc_1", topic: "events", hear }));
  return heard;
}

const place = { data: [], meta: { after: "here" } };
const settle = () => vi.advanceTimersByTimeAsync(0);
const look = async (isLookedAt: boolean): Promise<void> => {
  page.hidden = !isLookedAt;
  page.dispatchEvent(new Event("visibilitychange"));
  await settle();
};

test("asks where it stands, and then waits at the gateway for what comes behind that", async () => {
  const heard = openTab();
  await settle();
  expect(asked.map(({ query }) => query)).toEqual([{ limit: 1 }]);
  asked[0]?.answer(place);
  await settle();
  expect(asked[1]?.query).toEqual({ after: "here", waitSeconds: 25, limit: 100 });
  expect(heard).toEqual(["none"]);
  asked[1]?.answer({ data: [{ id: "evt_1", type: "wallet.created" }], meta: { after: "there" } });
  await settle();
  expect(heard).toEqual(["none", "news wallet.created"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked[2]?.query).toMatchObject({ after: "there" });
});

test("of the tabs of a browser one asks, the others hear it, and when it is closed another one goes on from there", async () => {
  const tabs = [openTab(), openTab()];
  await settle();
  asked[0]?.answer(place);
  await settle();
  expect(asked).toHaveLength(2);
  asked[1]?.answer({ data: [{ id: "evt_1", type: "wallet.created" }], meta: { after: "there" } });
  await settle();
  expect(tabs).toEqual([
    ["none", "news wallet.created"],
    ["none", "news wallet.created"],
  ]);
  stops[0]?.();
  await settle();
  expect(asked.map(({ query }) => query["after"])).toEqual([undefined, "here", "there"]);
});

test("a hidden tab never asks, and ends what waits; it goes on from its place when it is looked at again", async () => {
  openTab();
  await settle();
  asked[0]?.answer(place);
  await settle();
  await look(false);
  expect(asked[1]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(asked).toHaveLength(2);
  await look(true);
  expect(asked[2]?.query).toMatchObject({ after: "here" });
});

test("in an hour in which nothing happens it asks once in 25 seconds, and no more often while it fails", async () => {
  openTab();
  await settle();
  asked[0]?.answer(place);
  await settle();
  for (let seconds = 0; seconds < 3_600; seconds += 25) {
    await vi.advanceTimersByTimeAsync(25_000);
    asked.at(-1)?.answer(place);
    await settle();
  }
  expect(asked.length).toBeLessThanOrEqual(3_600 / 25 + 2);
  const before = asked.length;
  for (let seconds = 0; seconds < 3_600; seconds += 1) {
    asked.at(-1)?.fail({ code: "UNAVAILABLE", status: 503 });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked.length - before).toBeLessThan(3_600 / 25);
});

test.each([
  ["nobody is signed in any more", { code: "UNAUTHENTICATED", status: 401 }, "over"],
  ["the person may do something else", { code: "FORBIDDEN", status: 403 }, "doubt"],
  ["the place is of another account", { code: "INVALID_REQUEST", status: 400 }, "doubt"],
] as const)("all tabs hear that %s", async (_name, fault, told) => {
  const tabs = [openTab(), openTab()];
  await settle();
  asked[0]?.answer(place);
  await settle();
  asked[1]?.fail(fault);
  await settle();
  for (const tab of tabs) {
    expect(tab).toContain(told);
  }
});

test("all tabs hear that it is back, once something was heard again", async () => {
  const tabs = [openTab(), openTab()];
  await settle();
  asked[0]?.fail({ code: "UNAVAILABLE", status: 503 });
  await vi.advanceTimersByTimeAsync(2_000);
  asked[1]?.answer(place);
  await settle();
  for (const tab of tabs) {
    expect(tab).toEqual(["back", "none"]);
  }
});
