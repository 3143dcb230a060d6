import type { Schemas } from "@gateway/contract";
import { noPorts } from "@gateway/ports";
import { createTestClock, readMetric } from "@gateway/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { atOnce, dataOf, invalid, refused } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import { createPriceWorld, fiveSaying, sourcesSaying } from "./support/price-world.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

type PriceRound = Schemas["PriceRound"];

/** On the minute. Each test has its own day, so that none uses rounds pinned by another. */
const clock = createTestClock(Date.UTC(2026, 2, 9, 12));
const dayMs = 86_400_000;
const roundIdOf = (atMs: number): number => Math.floor(atMs / 10_000);

let accountId: string;
let key: string;
let startMs: number;
const world = createPriceWorld();
const get = async (path: string, of = gateway): Promise<Answer> => of.call({ target: `/api/v1/${path}`, key });
const read = async <Data = PriceRound[]>(path: string, of = gateway): Promise<Data> =>
  dataOf<Data>(await get(path, of));
const stale = refused("PRICE_STALE");
const countRounds = async (): Promise<number> =>
  (await gateway.database.kysely.selectFrom("price_rounds").select("round_id").execute()).length;

const gateway = useGateway({ clock, keepsStill: true, createPorts: world.createPorts });
beforeAll(async () => {
  const account = await gateway.createAccount();
  accountId = account.id;
  key = (await gateway.createKey(account, "read")).secret;
});
beforeEach(() => {
  startMs = (Math.floor(clock.now() / dayMs) + 1) * dayMs;
  clock.set(startMs);
  world.said = (atMs) => fiveSaying("100", atMs);
});

describe("sources that do not agree", () => {
  test("with 2 sources there is no round: no price, nothing stored, and 409 where no old one is wanted", async () => {
    world.said = (atMs) => sourcesSaying(["100", "100"], atMs);
    const before = await countRounds();
    expect(await read("prices")).toEqual([]);
    expect(await read("price-feeds/BTC-USD/rounds")).toEqual([]);
    expect(await get(`price-feeds/BTC-USD/rounds/${roundIdOf(startMs)}`)).toMatchObject({ status: 404 });
    expect(await get("prices?maxAgeSeconds=86400")).toMatchObject(stale);
    expect(await countRounds()).toBe(before);
    const asked = { accountId, symbol: "BTC-USD", atMs: startMs };
    expect(await gateway.platform.oracle.prices.at(asked)).toBeNull();
  });

  test("is counted for the operators, by symbol; what was long ago, and what an account has silenced, is not", async () => {
    const undecided = async () =>
      (await readMetric(gateway.metricsPort, "gateway_price_rounds_undecided_total")).get('{symbol="GBP-USD"}') ?? 0;
    const before = await undecided();
    await read("prices?symbols=GBP-USD");
    expect(await undecided()).toBe(before);
    world.said = (atMs) => sourcesSaying(["100", "100"], atMs);
    clock.advance(60_000);
    await read("prices?symbols=GBP-USD");
    const counted = await undecided();
    expect(counted).toBeGreaterThan(before);
    await read(`prices?symbols=GBP-USD&at=${new Date(clock.now() - 20 * 60_000).toISOString()}`);
    await gateway.database.kysely
      .insertInto("price_overrides")
      .values({
        ...{ account_id: accountId, symbol: "GBP-USD", starts_at: new Date(clock.now()), is_halted: false },
        ...{ price_units: null, reference_units: null, stale_since: null },
      })
      .execute();
    clock.advance(30_000);
    await read("prices?symbols=GBP-USD");
    // Rounds before the account's own override are shared by all accounts, and are known by now.
    expect(await undecided()).toBe(counted);
  });

  test("a source 100 times off is left out, and said to be", async () => {
    world.said = (atMs) => sourcesSaying(["100", "100.1", "10000", "99.9", "100.3"], atMs);
    const [round] = await read("prices?symbols=BTC-USD");
    expect(round).toMatchObject({ price: "100.05000000", confidence: "0.25000000" });
    expect(round?.sources.map(({ used }) => used)).toEqual([true, true, false, true, true]);
    expect(round?.sources[2]).toMatchObject({ price: "10000.00000000", used: false });
  });

  test("two of three: one 100 times off leaves two, and no round", async () => {
    world.said = (atMs) => sourcesSaying(["100", "100", "10000"], atMs);
    expect(await read("prices?symbols=BTC-USD")).toEqual([]);
  });

  test("what is silent for 30 s counts, for longer it does not", async () => {
    const since = (ms: number) => (atMs: number) => [
      ...sourcesSaying(["100", "100"], atMs),
      { source: "source-3", price: "100", atMs: atMs - ms },
    ];
    world.said = since(30_001);
    expect(await read("prices?symbols=EUR-USD")).toEqual([]);
    clock.advance(60_000);
    world.said = since(30_000);
    expect(await read("prices?symbols=EUR-USD")).toHaveLength(1);
  });
});

describe("silence", () => {
  /** All sources fall silent on the minute. */
  const fallSilent = () => {
    world.said = (atMs) => fiveSaying("100", Math.min(atMs, startMs));
  };

  test("a price of 120 s is good; then it is marked where money does not depend on it, and refused where it does", async () => {
    fallSilent();
    const asked = { accountId, symbol: "BTC-USD" };
    const { prices } = gateway.platform.oracle;
    clock.set(startMs + 120_000);
    expect(await read("prices?symbols=BTC-USD")).toMatchObject([{ roundId: roundIdOf(startMs), stale: false }]);
    expect(await read("prices?symbols=BTC-USD&maxAgeSeconds=120")).toMatchObject([{ price: "100.00000000" }]);
    clock.advance(1);
    expect(await read("prices?symbols=BTC-USD")).toMatchObject([{ roundId: roundIdOf(startMs), stale: true }]);
    expect(await get("prices?symbols=BTC-USD&maxAgeSeconds=120")).toMatchObject(stale);
    expect(await prices.at({ ...asked, atMs: clock.now() })).toMatchObject({ roundId: roundIdOf(startMs) });
  });

  test("`at` gives the round that was in force at a moment, and as old as it was then, whenever it is asked", async () => {
    world.said = (atMs) => fiveSaying(atMs < startMs + 60_000 ? "100" : "200", Math.min(atMs, startMs + 60_000));
    clock.set(startMs + 600_000);
    const atMsLater = (ms: number) => `prices?symbols=BTC-USD&at=${new Date(startMs + ms).toISOString()}`;
    const before = { roundId: roundIdOf(startMs), price: "100.00000000", stale: false };
    const last = { roundId: roundIdOf(startMs + 60_000), price: "200.00000000" };
    expect(await read(atMsLater(59_999))).toMatchObject([before]);
    expect(await read(atMsLater(60_000))).toMatchObject([{ ...last, stale: false }]);
    expect(await read(atMsLater(180_000))).toMatchObject([{ ...last, stale: false }]);
    expect(await read(atMsLater(180_001))).toMatchObject([{ ...last, stale: true }]);
    expect(await get(`${atMsLater(180_001)}&maxAgeSeconds=120`)).toMatchObject(stale);
    const first = (await read(atMsLater(59_999)))[0]?.signature;
    clock.advance(20 * dayMs);
    expect((await read(atMsLater(59_999)))[0]?.signature).toBe(first);
  });

  test("`at` is of the last 31 days, and less than a minute ahead is now", async () => {
    const at = (ms: number) => get(`prices?symbols=BTC-USD&at=${new Date(clock.now() + ms).toISOString()}`);
    expect(await at(60_000)).toMatchObject(invalid(["at", "must not be in the future"]));
    expect(await at(59_999)).toMatchObject({ status: 200, json: { data: [{ roundId: roundIdOf(clock.now()) }] } });
    expect(await at(-31 * dayMs)).toMatchObject({ status: 200 });
    expect(await at(-31 * dayMs - 1)).toMatchObject(invalid(["at", "must be within the last 31 days"]));
  });

  test("maxAgeSeconds is kept to the millisecond", async () => {
    fallSilent();
    clock.set(startMs + 45_000);
    expect(await read("prices?symbols=BTC-USD,EUR-USD&maxAgeSeconds=45")).toHaveLength(2);
    clock.advance(1);
    expect(await get("prices?symbols=BTC-USD&maxAgeSeconds=45")).toMatchObject(stale);
  });

  test("the last price is found after months, by few readings", async () => {
    fallSilent();
    clock.set(startMs + 200 * dayMs);
    world.reads = 0;
    expect(await read("prices?symbols=BTC-USD")).toMatchObject([{ roundId: roundIdOf(startMs), stale: true }]);
    expect(world.reads).toBeLessThanOrEqual(12);
  });
});

describe("rounds", () => {
  /** Up 1 % at :20, and down again at :50, each minute. */
  const moving = (atMs: number) => {
    const second = Math.floor(atMs / 1000) % 60;
    return fiveSaying(second >= 20 && second < 50 ? "101" : "100", atMs);
  };
  const numbers = (rounds: readonly PriceRound[]) => rounds.map(({ roundId }) => roundId - roundIdOf(startMs));

  test("one on the minute, and one at each change of 50 bps: newest first, page by page, the same from any time on", async () => {
    world.said = moving;
    clock.set(startMs + 119_999);
    const all = await read("price-feeds/BTC-USD/rounds?limit=9");
    expect(numbers(all)).toEqual([11, 8, 6, 5, 2, 0, -1, -4, -6]);
    const seen: PriceRound[] = [];
    for (let cursor = ""; seen.length < all.length;) {
      const page = await get(`price-feeds/BTC-USD/rounds?limit=2${cursor}`);
      const { data, meta } = page.json as { data: PriceRound[]; meta: { nextCursor: string } };
      seen.push(...data);
      cursor = `&cursor=${encodeURIComponent(meta.nextCursor)}`;
    }
    expect(seen.slice(0, 9)).toEqual(all);
    for (const { roundId, signature } of all) {
      expect(await read<PriceRound>(`price-feeds/BTC-USD/rounds/${roundId}`)).toMatchObject({ roundId, signature });
    }
    expect(await get(`price-feeds/BTC-USD/rounds/${roundIdOf(startMs) + 1}`)).toMatchObject({ status: 404 });
  });

  test("a cursor is good for its symbol alone", async () => {
    const page = await get("price-feeds/BTC-USD/rounds?limit=1");
    const { nextCursor } = (page.json as { meta: { nextCursor: string } }).meta;
    const foreign = await get(`price-feeds/ETH-USD/rounds?cursor=${encodeURIComponent(nextCursor)}`);
    expect(foreign).toMatchObject(invalid("cursor"));
  });

  test("there is none of the future, and one that nobody was told of is gone after 31 days", async () => {
    const roundId = roundIdOf(startMs);
    const at = (id: number) => get(`price-feeds/GBP-USD/rounds/${id}`);
    expect(await at(roundId + 6)).toMatchObject({ status: 404 });
    expect(await at(roundId)).toMatchObject({ status: 200 });
    clock.set(startMs + 31 * dayMs + 60_000);
    expect(await at(roundId + 6)).toMatchObject({ status: 200 });
    clock.advance(1);
    expect(await at(roundId + 12)).toMatchObject({ status: 200 });
    clock.advance(60_000);
    expect(await at(roundId + 18)).toMatchObject({ status: 200 });
    expect(await at(roundId + 11)).toMatchObject({ status: 404 });
    expect(await at(roundId)).toMatchObject({ status: 200 });
  });

  test("what nobody lists: unknown symbols", async () => {
    expect(await get("price-feeds/BTC-EUR")).toMatchObject({ status: 404 });
    expect(await get("price-feeds/BTC-EUR/rounds")).toMatchObject({ status: 404 });
    expect(await get("price-feeds/BTC-EUR/rounds/1")).toMatchObject({ status: 404 });
    const field = invalid("symbols");
    expect(await get("prices?symbols=BTC-USD,BTC-EUR")).toMatchObject(field);
    expect(await get(`prices?symbols=${Array(11).fill("BTC-USD").join(",")}`)).toMatchObject(field);
    expect(await get(`prices?symbols=${Array(10).fill("BTC-USD").join(",")}`)).toMatchObject({ status: 200 });
    expect(await get("price-feeds/btc-usd")).toMatchObject({ status: 400 });
    expect(await get("price-feeds/BTC-USD/rounds/01")).toMatchObject({ status: 400 });
  });
});

describe("the outside", () => {
  test("no connection to the database is held while the sources are asked: others are served", async () => {
    const gate = Promise.withResolvers<void>();
    world.gate = gate.promise;
    try {
      const waiting = Array.from({ length: 40 }, (_none, index) =>
        get(`prices?symbols=BTC-USD&maxAgeSeconds=${60 + index}`),
      );
      const others = await atOnce(20, () => get("wallets"));
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
      gate.resolve();
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
    } finally {
      gate.resolve();
      world.gate = null;
    }
  });

  test("sources that cannot be asked: 503, and the next one is answered", async () => {
    world.gate = Promise.reject(new Error("away"));
    world.gate.catch(() => {});
    expect(await get("prices?symbols=BTC-USD")).toMatchObject(refused("UNAVAILABLE"));
    world.gate = null;
    expect(await read("prices?symbols=BTC-USD")).toHaveLength(1);
  });

  test("without sources 503, but what is pinned is answered", async () => {
    const roundId = roundIdOf(startMs);
    const kept = await read<PriceRound>(`price-feeds/BTC-USD/rounds/${roundId}`);
    const without = await startTestGateway({
      ...{ clock, keepsStill: true, databaseUrl: gateway.databaseUrl },
      createPorts: () => noPorts,
    });
    try {
      expect(await get("prices?symbols=ETH-USD", without)).toMatchObject({ status: 503 });
      expect(await read(`price-feeds/BTC-USD/rounds/${roundId}`, without)).toEqual(kept);
      expect(await read("prices?symbols=BTC-USD", without)).toEqual([kept]);
    } finally {
      await without.stop();
    }
  });
});
