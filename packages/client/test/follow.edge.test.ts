import { expect, test } from "vitest";
import { RateLimitError } from "../src/index.ts";
import { breakOff, cut, data, refusal, type Reply } from "./support/fake-gateway.ts";
import { failureOf, startTestClient } from "./support/test-client.ts";

const followed = (ids: readonly string[], after: string): Reply =>
  data(
    ids.map((id) => ({ id })),
    { hasMore: false, nextCursor: null, after },
  );

/** The first so many. */
async function take(events: AsyncIterable<{ id: string }>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) {
    ids.push(id);
    if (ids.length === count) {
      break;
    }
  }
  return ids;
}

const placesOf = (seen: readonly { path: string }[]): (string | null)[] =>
  seen.map(({ path }) => new URL(path, "http://gateway").searchParams.get("after"));

test("asks for what came after each answer, an empty one too, and waits at the gateway", async () => {
  const { client, gateway, waits } = await startTestClient([
    followed(["evt_1", "evt_2"], "a"),
    followed([], "b"),
    followed(["evt_3"], "c"),
  ]);
  expect(await take(client.events.follow(), 3)).toEqual(["evt_1", "evt_2", "evt_3"]);
  expect(placesOf(gateway.seen)).toEqual([null, "a", "b"]);
  expect(gateway.seen.every(({ path }) => path.includes("waitSeconds=25"))).toBe(true);
  expect(waits).toEqual([]);
});

test("of requests, also of one source, as of events", async () => {
  const { client, gateway } = await startTestClient([followed(["req_1"], "a"), followed(["req_2"], "b")]);
  expect(await take(client.requestLogs.follow({ source: "api" }), 2)).toEqual(["req_1", "req_2"]);
  expect(placesOf(gateway.seen)).toEqual([null, "a"]);
  for (const { path } of gateway.seen) {
    expect(path).toMatch(/^\/api\/v1\/request-logs\?source=api&waitSeconds=25&/);
  }
});

test("goes on at the place that it was given, and tells the one behind each page", async () => {
  const { client, gateway } = await startTestClient([followed(["evt_1"], "b"), followed([], "c")]);
  const pages = client.events.follow({ after: "a" }).pages()[Symbol.asyncIterator]();
  const read = [await pages.next(), await pages.next()];
  expect(read.map(({ value }) => value?.meta.after)).toEqual(["b", "c"]);
  expect(placesOf(gateway.seen)).toEqual(["a", "b"]);
});

test("outlasts any number of lost connections, 429 and 503, as long as they ask, and tells nothing twice", async () => {
  const faults = [cut, breakOff, refusal(503, "UNAVAILABLE", { "Retry-After": "5" })];
  const { client, gateway, waits } = await startTestClient([
    followed(["evt_1"], "a"),
    ...Array.from({ length: 10 }, () => faults).flat(),
    refusal(429, "RATE_LIMITED", { "Retry-After": "60" }),
    followed(["evt_2"], "b"),
  ]);
  expect(await take(client.events.follow(), 2)).toEqual(["evt_1", "evt_2"]);
  expect(placesOf(gateway.seen)).toEqual([null, ...Array<string>(32).fill("a")]);
  expect(waits).toHaveLength(31);
  expect(waits.at(-1)).toBeGreaterThanOrEqual(60_000);
});

test("throws what will not pass: a revoked key, a place that is too old", async () => {
  const { client, waits } = await startTestClient([followed(["evt_1"], "a"), refusal(401, "UNAUTHENTICATED")]);
  const failure = await failureOf(take(client.events.follow(), 2));
  expect(failure).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  expect(failure).not.toBeInstanceOf(RateLimitError);
  expect(waits).toEqual([]);
});

test("ends with the signal's reason, also while it waits", async () => {
  const stop = new AbortController();
  const { client } = await startTestClient([followed(["evt_1"], "a"), () => stop.abort(new Error("enough"))]);
  expect(await failureOf(take(client.events.follow({ signal: stop.signal }), 2))).toMatchObject({ message: "enough" });
});
