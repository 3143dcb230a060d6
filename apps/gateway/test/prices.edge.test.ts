import type { Schemas } from "@gateway/contract";
import { noPorts } from "@gateway/ports";
import { createTestClock, readMetric } from "@gateway/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { compactVerify, createLocalJWKSet } from "jose";
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

describe("prices of an account's own", () => {
  type Customer = { accountId: string; key: string };

  let own: Customer;
  let other: Customer;

  const createCustomer = async (): Promise<Customer> => {
    const account = await gateway.createAccount();
    return { accountId: account.id, key: (await gateway.createKey(account, "write")).secret };
  };
  const change = async (body: object, { key } = own): Promise<void> => {
    dataOf(await gateway.call({ method: "POST", target: "/api/v1/sandbox/prices", key, body }));
  };
  const price = async ({ key }: Customer): Promise<PriceRound | undefined> =>
    dataOf<PriceRound[]>(await gateway.call({ target: "/api/v1/prices?symbols=BTC-USD", key }))[0];
  const round = ({ key }: Customer, roundId: number) =>
    gateway.call({ target: `/api/v1/price-feeds/BTC-USD/rounds/${roundId}`, key });
  const numbers = async ({ key }: Customer): Promise<number[]> =>
    dataOf<PriceRound[]>(await gateway.call({ target: "/api/v1/price-feeds/BTC-USD/rounds?limit=5", key })).map(
      ({ roundId }) => roundId - startMs / 10_000,
    );

  beforeEach(async () => {
    [own, other] = [await createCustomer(), await createCustomer()];
  });

  test("a price of the account's own is its rounds' from then on, and nobody else's; what was before is everybody's", async () => {
    const before = await price(own);
    expect(before).toMatchObject({ price: "100.00000000" });
    clock.set(startMs + 15_000);
    await change({ symbol: "BTC-USD", price: "200" });
    expect(await price(own)).toEqual(before);
    clock.set(startMs + 20_000);
    expect(await price(own)).toMatchObject({ price: "200.00000000", publishedAt: new Date(clock.now()).toISOString() });
    expect(await price(other)).toEqual(before);
    expect(await numbers(own)).toEqual([2, 0, -6, -12, -18]);
    expect(await numbers(other)).toEqual([0, -6, -12, -18, -24]);
    expect(dataOf(await round(own, startMs / 10_000))).toEqual(before);
    expect(await round(other, startMs / 10_000 + 2)).toMatchObject({ status: 404 });
  });

  test("of one number each has a round of its own, the same for ever, whatever is changed later", async () => {
    await change({ symbol: "BTC-USD", price: "300" });
    clock.set(startMs + 60_000);
    const mine = await price(own);
    const theirs = await price(other);
    expect([mine?.price, theirs?.price]).toEqual(["300.00000000", "100.00000000"]);
    expect(mine?.roundId).toBe(theirs?.roundId);
    clock.set(startMs + 61_000);
    await change({ symbol: "BTC-USD", price: null });
    clock.set(startMs + 120_000);
    expect(await price(own)).toMatchObject({ price: "100.00000000" });
    expect(dataOf(await round(own, mine?.roundId ?? 0))).toMatchObject({ signature: mine?.signature });
    expect(dataOf(await round(other, mine?.roundId ?? 0))).toMatchObject({ signature: theirs?.signature });
  });

  test("a round of its own prices names the account, in what is signed too; one of real sources names nobody", async () => {
    await change({ symbol: "BTC-USD", price: "400" });
    clock.set(startMs + 60_000);
    const [mine, theirs] = [await price(own), await price(other)];
    const payloadOf = (of = mine): unknown =>
      JSON.parse(Buffer.from(of?.signature.split(".")[1] ?? "", "base64url").toString());
    expect(mine).toMatchObject({ simulatedFor: own.accountId });
    expect(payloadOf()).toMatchObject({ simulatedFor: own.accountId });
    expect(theirs).not.toHaveProperty("simulatedFor");
    expect(payloadOf(theirs)).not.toHaveProperty("simulatedFor");
  });

  test("sources that the account has fall silent: its last price is marked, and refused where money depends on it, until they speak", async () => {
    const { prices } = gateway.platform.oracle;
    const asked = { symbols: ["BTC-USD"], maxAgeSeconds: 120, limit: 1 };
    const requireNow = ({ accountId } = own) => prices.list({ accountId, nowMs: clock.now(), ...asked });
    await change({ symbol: "BTC-USD", stale: true });
    clock.set(startMs + 120_000);
    expect(await price(own)).toMatchObject({ stale: false, publishedAt: new Date(startMs).toISOString() });
    await requireNow();
    clock.set(startMs + 120_001);
    expect(await price(own)).toMatchObject({ stale: true, publishedAt: new Date(startMs).toISOString() });
    await expect(requireNow()).rejects.toMatchObject({ code: "PRICE_STALE" });
    const refusal = await gateway.call({ target: "/api/v1/prices?symbols=BTC-USD&maxAgeSeconds=120", key: own.key });
    expect(refusal).toMatchObject(refused("PRICE_STALE"));
    expect((await requireNow(other)).items).toMatchObject([{ publishedAtMs: startMs + 120_000 }]);
    await change({ symbol: "BTC-USD", stale: false });
    clock.set(startMs + 130_000);
    expect(await price(own)).toMatchObject({ stale: false, publishedAt: new Date(clock.now()).toISOString() });
    expect(await numbers(own)).toEqual([13, 0, -6, -12, -18]);
  });

  test("an account's rounds are by its own clock, and every account that gets there meets the same", async () => {
    const advance = ({ key }: Customer, seconds: number) =>
      gateway.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", key, body: { seconds } });
    dataOf(await advance(own, 3_600));
    const ahead = await price(own);
    expect(ahead).toMatchObject({ publishedAt: new Date(startMs + 3_600_000).toISOString() });
    expect(await round(other, ahead?.roundId ?? 0)).toMatchObject({ status: 404 });
    dataOf(await advance(other, 3_600));
    expect(await price(other)).toEqual(ahead);
  });
});

describe("the signatures of rounds", () => {
  const startMs = Date.UTC(2026, 2, 9, 12);
  const clock = createTestClock(startMs);
  const roundId = startMs / 10_000;
  const many = 64;

  let key: string;
  const world = createPriceWorld();
  const lying = createPriceWorld();
  const get = async (path: string, of = gateway): Promise<Answer> => of.call({ target: `/api/v1/${path}`, key });
  const read = async <Data = PriceRound>(path: string, of = gateway): Promise<Data> =>
    dataOf<Data>(await get(path, of));
  const readKeys = () => read<Schemas["PriceSigningKey"][]>("price-signing-keys");
  /** The bytes of a round without `stale`, which changes with its age. */
  const bytesOf = ({ stale: _stale, ...round }: PriceRound): string => JSON.stringify(round);
  const countRounds = async (symbol: string): Promise<number> =>
    (await gateway.database.kysely.selectFrom("price_rounds").select("round_id").where("symbol", "=", symbol).execute())
      .length;

  /** Verifies like a client that has only the published keys: the signed round is the one in the response. */
  async function verify({ signature, stale: _stale, ...round }: PriceRound, keys: Schemas["PriceSigningKey"][]) {
    const { payload, protectedHeader } = await compactVerify(signature, createLocalJWKSet({ keys }));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(round);
    return protectedHeader.kid;
  }

  const gateway = useGateway({ clock, keepsStill: true, createPorts: world.createPorts });
  const other = useGateway(() => ({
    ...{ clock, keepsStill: true, databaseUrl: gateway.databaseUrl },
    createPorts: lying.createPorts,
  }));
  beforeAll(async () => {
    // Another process, whose sources report other prices for the same time.
    lying.said = (atMs) => fiveSaying("105", atMs);
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });

  test("64 at once, at two processes, before there is a key: one key is made, and one round of the same bytes for all", async () => {
    const answers = await atOnce(many, (index) =>
      read<PriceRound[]>("prices?symbols=ETH-USD", index % 2 ? gateway : other),
    );
    expect(new Set(answers.map(([round]) => round?.signature)).size).toBe(1);
    expect(await countRounds("ETH-USD")).toBe(1);
    expect(await readKeys()).toHaveLength(1);
  });

  describe("a signature", () => {
    test("verifies with jose alone, by the keys as they are listed, and holds the whole round", async () => {
      const keys = await readKeys();
      const round = await read(`price-feeds/BTC-USD/rounds/${roundId}`);
      expect(await verify(round, keys)).toBe(keys[0]?.kid);
      expect(Object.keys(keys[0] ?? {})).not.toContain("d");
    });

    test("of another round, or of an altered one, does not", async () => {
      const keys = await readKeys();
      const round = await read(`price-feeds/BTC-USD/rounds/${roundId}`);
      const [header = "", payload = "", signature = ""] = round.signature.split(".");
      const dearer = Buffer.from(payload, "base64url").toString().replace("100.00000000", "900.00000000");
      const altered = [header, Buffer.from(dearer).toString("base64url"), signature].join(".");
      await expect(compactVerify(altered, createLocalJWKSet({ keys }))).rejects.toThrow(
        /signature verification failed/,
      );
      await expect(verify({ ...round, price: "900.00000000" }, keys)).rejects.toThrow(/expected/);
    });
  });

  test("the same round is the same bytes for ever: again, at another process, after a new key, after 13 months of the clock", async () => {
    const path = `price-feeds/GBP-USD/rounds/${roundId}`;
    const first = await read(path);
    expect(first.stale).toBe(false);
    world.said = (atMs) => fiveSaying("777", atMs);
    const again = [await read(path), await read(path, other)];
    clock.advance(1);
    const { id: successor } = await gateway.platform.transaction(({ oracle }) => oracle.signingKeys.roll());
    const [signing, retired] = await readKeys();
    expect(signing).toMatchObject({ kid: successor, retiredAt: null });
    expect(retired).toMatchObject({ retiredAt: new Date(clock.now()).toISOString() });
    await gateway.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", key, body: { seconds: 34_000_000 } });
    const later = [await read(path), await read(path, other)];
    expect([...again, ...later].map(bytesOf)).toEqual(Array.from({ length: 4 }, () => bytesOf(first)));
    expect(later.map(({ stale }) => stale)).toEqual([true, true]);
    expect(await verify(later[0] ?? first, await readKeys())).toBe(retired?.kid);
    const [fresh] = await read<PriceRound[]>("prices?symbols=GBP-USD");
    expect(fresh && (await verify(fresh, await readKeys()))).toBe(successor);
  });

  test("rolled by many at once, one key signs, and each is listed", async () => {
    const before = (await readKeys()).length;
    await atOnce(8, () => gateway.platform.transaction(({ oracle }) => oracle.signingKeys.roll()));
    const keys = await readKeys();
    expect(keys).toHaveLength(before + 8);
    expect(keys.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
  });

  test("nobody changes a round that is pinned, nor drops one", async () => {
    await read(`price-feeds/BTC-USD/rounds/${roundId}`);
    const { kysely } = gateway.database;
    const refusal = /A price round that is pinned never changes/;
    await expect(kysely.deleteFrom("price_rounds").execute()).rejects.toThrow(refusal);
    await expect(
      kysely
        .updateTable("price_rounds")
        .set({ pinned_at: new Date() } as never)
        .execute(),
    ).rejects.toThrow(refusal);
  });
});
