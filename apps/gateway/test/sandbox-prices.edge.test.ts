import type { Schemas } from "@gateway/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { digestDatabase } from "@gateway/testkit";
import { atOnce, invalid } from "./support/answers.ts";
import { createWebhookClient, type WebhookClient } from "./support/webhook-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const symbol = "BTC-USD";
const minute = 60_000;

let owner: WebhookClient;
let other: WebhookClient;

const { gateway } = useGatewayAtNoon();
beforeEach(async () => {
  owner = await createWebhookClient(gateway);
  other = await createWebhookClient(gateway);
});

type Change = Schemas["SandboxPriceSet"];
type Bar = Schemas["Bar"];

const set = (change: Omit<Change, "symbol">, client = owner): Promise<Schemas["SandboxPrice"]> =>
  client.ask("POST", "/sandbox/prices", { symbol, ...change });
const advance = (seconds: number, client = owner): Promise<{ now: string }> =>
  client.ask("POST", "/sandbox/clock/advance", { seconds });
const quote = async (client = owner): Promise<Schemas["Quote"]> => {
  const [found] = await client.ask<Schemas["Quote"][]>("GET", `/quotes?symbols=${symbol}`);
  return found as Schemas["Quote"];
};
const trades = (client = owner): Promise<Schemas["MarketTrade"][]> =>
  client.ask("GET", `/trades?symbol=${symbol}&limit=100`);
const bars = (query: string, client = owner): Promise<Bar[]> => client.ask("GET", `/bars?symbol=${symbol}&${query}`);
const nowOf = async (client = owner): Promise<number> =>
  Date.parse((await client.ask<{ now: string }>("GET", "/sandbox/clock")).now);
const dollars = (price: string): number => Number(price);

async function expectRefused(body: object, field: string, issue: string | RegExp): Promise<void> {
  const before = await digestDatabase(gateway.database);
  expect(await owner.call("POST", "/sandbox/prices", body)).toMatchObject(
    invalid([field, expect.stringMatching(issue)]),
  );
  expect(await digestDatabase(gateway.database)).toEqual(before);
}

describe("a price", () => {
  test("that is set is what the account sees from now on, in quotes, trades, bars and books; others see nothing of it", async () => {
    await advance(3600);
    await advance(3600, other);
    const before = await bars("limit=60");
    const answer = await set({ price: "140000.00" });
    expect(answer).toMatchObject({ symbol, price: "140000.00", halted: false, stale: false });
    expect(Math.abs(dollars((await quote()).bid) / 140_000 - 1)).toBeLessThan(0.01);
    expect(dollars((await quote(other)).bid)).toBeLessThan(90_000);

    await advance(180);
    const since = Date.parse(answer.since);
    for (const { price, at } of await trades()) {
      expect(dollars(price) > 100_000, at).toBe(Date.parse(at) >= since);
    }
    const after = await bars("limit=100");
    for (const { start, low, high } of after) {
      const [from, to] = [Date.parse(start), Date.parse(start) + minute];
      expect(from >= since && dollars(low) < 100_000, start).toBe(false);
      expect(to <= since && dollars(high) > 100_000, start).toBe(false);
    }
    // Candles before the override are unchanged.
    const shared = after.filter(({ start }) => before.some((one) => one.start === start));
    expect(shared.length).toBeGreaterThan(40);
    expect(before).toEqual(expect.arrayContaining(shared));
    const book = await owner.ask<Schemas["OrderBook"]>("GET", `/order-books/${symbol}`);
    expect(dollars(book.asks[0]?.price ?? "")).toBeGreaterThan(100_000);
    expect((await trades(other)).every(({ price }) => dollars(price) < 90_000)).toBe(true);
  });

  test("goes on moving with the simulation, and null takes it back", async () => {
    await set({ price: "6425.00" });
    const [mine, theirs] = [await quote(), await quote(other)];
    const ratio = dollars(mine.bid) / dollars(theirs.bid);
    await advance(86_400);
    await advance(86_400, other);
    const [later, theirsLater] = [await quote(), await quote(other)];
    expect(later.bid).not.toBe(mine.bid);
    expect(dollars(later.bid) / dollars(theirsLater.bid) / ratio).toBeCloseTo(1, 2);
    expect(await set({ price: null })).toMatchObject({ price: null });
    expect(dollars((await quote()).bid) / dollars((await quote(other)).bid)).toBeCloseTo(1, 2);
  });

  test("may be a thousand times what it is and a thousandth, and no more, no less, and no finer than its ticks", async () => {
    const [range] = [/^must be from (\d+\.\d\d) to (\d+\.\d\d)$/];
    const body = { symbol, price: "0.01" };
    const { json } = await owner.call("POST", "/sandbox/prices", body);
    const { issue } = (json as { error: { details: [{ issue: string }] } }).error.details[0];
    const [, least = "", most = ""] = range.exec(issue) ?? [];
    expect([dollars(least) > 40, dollars(most) > 40_000_000]).toEqual([true, true]);
    await expectRefused({ symbol, price: "0" }, "price", /^must be from/);
    await expectRefused({ symbol, price: "999999999999999.00" }, "price", /^must be from/);
    await expectRefused({ symbol, price: "70000.001" }, "price", "must have at most 2 decimal places");
    // Slightly within the bounds, which move with the price.
    await set({ price: (dollars(least) * 1.05).toFixed(2) });
    const tiny = await quote();
    expect(dollars(tiny.bid)).toBeLessThan(dollars(tiny.ask));
    await set({ price: (dollars(most) * 0.95).toFixed(2) });
    expect(dollars((await quote()).bid)).toBeGreaterThan(40_000_000);
  });

  test("needs an instrument, and something to change", async () => {
    await expectRefused({ symbol: "XRP-USD", price: "1.00" }, "symbol", /^is not the symbol of an instrument/);
    await expectRefused({ symbol }, "body", "must have at least one of price, halted and stale");
    await expectRefused({ price: "1.00" }, "symbol", "is required");
  });

  test("of 20 changes at once each keeps what the others changed", async () => {
    const changes = [{ price: "70000.00" }, { halted: true }, { stale: true }, { price: "80000.00" }];
    await atOnce(20, (index) => set(changes[index % changes.length] ?? {}));
    const last = (await overridesOf(owner)).at(-1);
    expect(last).toMatchObject({ is_halted: true });
    expect(last?.stale_since).not.toBeNull();
    expect([7_000_000, 8_000_000]).toContain(last?.price_units);
  });
});

const overridesOf = ({ account }: WebhookClient) =>
  gateway.database.kysely
    .selectFrom("price_overrides")
    .selectAll()
    .where("account_id", "=", account.id)
    .orderBy("starts_at")
    .execute();

describe("a halt", () => {
  test("shows in the instrument, for the account that asked for it, until it is taken back; its prices go on", async () => {
    const status = async (client: WebhookClient) =>
      (await client.ask<Schemas["Instrument"]>("GET", `/instruments/${symbol}`)).status;
    await set({ halted: true });
    expect([await status(owner), await status(other)]).toEqual(["halted", "trading"]);
    const all = await owner.ask<Schemas["Instrument"][]>("GET", "/instruments");
    expect(all.filter((one) => one.status === "halted").map((one) => one.symbol)).toEqual([symbol]);
    const first = await quote();
    await advance(3600);
    expect(Date.parse((await quote()).at)).toBeGreaterThanOrEqual(Date.parse(first.at) + 3_600_000);
    await set({ halted: false });
    expect(await status(owner)).toBe("trading");
  });
});

describe("silent sources", () => {
  test("say nothing newer, however much time passes, and what they did not say is not said later", async () => {
    await advance(600);
    const { since, stale } = await set({ stale: true });
    expect(stale).toBe(true);
    const silentMs = Date.parse(since);
    const last = await quote();
    await advance(3600);
    expect(await quote()).toEqual(last);
    expect(last.at).toBe(since);
    expect((await owner.ask<Schemas["OrderBook"]>("GET", `/order-books/${symbol}`)).at).toBe(since);
    const read = await gateway.platform.marketData.prices.read({
      accountId: owner.account.id,
      symbol,
      atMs: await nowOf(),
    });
    expect(read).toHaveLength(5);
    expect(read.every(({ atMs }) => atMs <= silentMs)).toBe(true);
    expect((await trades()).every(({ at }) => Date.parse(at) < silentMs)).toBe(true);
    expect((await bars("limit=60")).every(({ start }) => Date.parse(start) < silentMs)).toBe(true);

    const { since: again } = await set({ stale: false });
    const spokenMs = Date.parse(again);
    await advance(600);
    expect(Date.parse((await quote()).at)).toBeGreaterThanOrEqual(spokenMs + 600_000);
    for (const { at } of await trades()) {
      expect(Date.parse(at) < silentMs || Date.parse(at) >= spokenMs).toBe(true);
    }
    const hole = (await bars("limit=80")).filter(
      ({ start }) => Date.parse(start) >= silentMs && Date.parse(start) + minute <= spokenMs,
    );
    expect(hole).toEqual([]);
  });

  test("say the price that was set with their silence, and one that is set in it when they speak again", async () => {
    await set({ price: "90000.00", stale: true });
    expect(Math.abs(dollars((await quote()).bid) / 90_000 - 1)).toBeLessThan(0.01);
    await advance(60);
    expect(await set({ price: "140000.00" })).toMatchObject({ price: "140000.00", stale: true });
    expect(Math.abs(dollars((await quote()).bid) / 90_000 - 1)).toBeLessThan(0.01);
    await set({ stale: false });
    expect(Math.abs(dollars((await quote()).bid) / 140_000 - 1)).toBeLessThan(0.01);
  });
});
