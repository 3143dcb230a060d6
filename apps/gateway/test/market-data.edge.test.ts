import type { Schemas } from "@gateway/contract";
import { noPorts } from "@gateway/ports";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid, refused } from "./support/answers.ts";
import { createSilentPorts, startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient, type WebhookClient } from "./support/webhook-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const symbols = ["BTC-USD", "ETH-USD", "USDC-USD", "EUR-USD", "GBP-USD", "USD-JPY"];
const minute = 60_000;
const day = 24 * 60 * minute;

let client: WebhookClient;

const { gateway, clock } = useGatewayAtNoon();
beforeAll(async () => {
  client = await createWebhookClient(gateway);
});

type Page<Item> = { data: Item[]; meta: { hasMore: boolean; nextCursor: string | null } };

const get = <Data>(path: string): Promise<Data> => client.ask("GET", path);
const page = async <Item>(path: string): Promise<Page<Item>> => (await client.call("GET", path)).json as Page<Item>;

async function walk<Item>(path: string): Promise<Item[][]> {
  const pages: Item[][] = [];
  let cursor: string | null = "";
  while (cursor !== null && pages.length < 50) {
    const { data, meta }: Page<Item> = await page(cursor === "" ? path : `${path}&cursor=${cursor}`);
    pages.push(data);
    cursor = meta.nextCursor;
    expect(meta.hasMore).toBe(cursor !== null);
  }
  return pages;
}

async function expectRefused(path: string, field: string, issue: string): Promise<void> {
  expect(await client.call("GET", path)).toMatchObject(invalid([field, issue]));
}

const unknown = "is not the symbol of an instrument; GET /instruments lists them";
const units = (price: string): bigint => BigInt(price.replace(".", ""));

describe("instruments", () => {
  test("are six, all of them trading, in pages of any size", async () => {
    const all = await get<Schemas["Instrument"][]>("/instruments");
    expect(all.map(({ symbol, status }) => [symbol, status])).toEqual(symbols.map((symbol) => [symbol, "trading"]));
    const pages = await walk<Schemas["Instrument"]>("/instruments?limit=4");
    expect(pages.map((one) => one.length)).toEqual([4, 2]);
    expect(pages.flat()).toEqual(all);
  });

  test("one is found by its symbol; of none there is 404", async () => {
    expect(await get("/instruments/USD-JPY")).toMatchObject({ base: "USD", quote: "JPY", priceScale: 3 });
    for (const path of ["/instruments/XRP-USD", "/order-books/XRP-USD"]) {
      expect(await client.call("GET", path)).toMatchObject(refused("NOT_FOUND"));
    }
  });
});

describe("quotes", () => {
  test("are of all instruments, or of those that are asked for, in that order", async () => {
    expect((await get<Schemas["Quote"][]>("/quotes")).map(({ symbol }) => symbol)).toEqual(symbols);
    const some = await get<Schemas["Quote"][]>("/quotes?symbols=USD-JPY,BTC-USD");
    expect(some.map(({ symbol }) => symbol)).toEqual(["USD-JPY", "BTC-USD"]);
    for (const { bid, ask, at } of some) {
      expect(units(bid)).toBeLessThan(units(ask));
      expect(clock.now() - Date.parse(at)).toBeGreaterThanOrEqual(0);
      expect(clock.now() - Date.parse(at)).toBeLessThan(minute);
    }
    const pages = await walk<Schemas["Quote"]>("/quotes?symbols=USD-JPY,BTC-USD,EUR-USD&limit=2");
    expect(pages.map((one) => one.map(({ symbol }) => symbol))).toEqual([["USD-JPY", "BTC-USD"], ["EUR-USD"]]);
  });

  test("are asked for by ten symbols at most, each known and once", async () => {
    const ten = Array.from({ length: 10 }, (_, index) => `A${index}-USD`);
    await expectRefused("/quotes?symbols=BTC-USD,ETH-USD,BTC-USD", "symbols", "must not name BTC-USD twice");
    const none = "must not name A0-USD, which is not an instrument; GET /instruments lists them";
    await expectRefused(`/quotes?symbols=${ten.join(",")}`, "symbols", none);
    await expectRefused(`/quotes?symbols=${ten.join(",")},B0-USD`, "symbols", "must name at most 10 instruments");
    for (const text of ["BTC-USD,", ",BTC-USD", "BTC-USD,,ETH-USD", "BTC-USD;ETH-USD", "btc-usd", "BTC-USD, ETH-USD"]) {
      const issue = "must be symbols of instruments with commas between them, such as BTC-USD,EUR-USD";
      await expectRefused(`/quotes?symbols=${encodeURIComponent(text)}`, "symbols", issue);
    }
  });
});

describe("bars", () => {
  const end = new Date("2026-03-08T00:00:00Z");
  const start = new Date(end.getTime() - 3 * 60 * minute);
  const range = `start=${start.toISOString()}&end=${end.toISOString()}`;

  test("are of the range that is asked for, newest first, the same in pages of any size", async () => {
    const [whole] = await walk<Schemas["Bar"]>(`/bars?symbol=BTC-USD&timeframe=1m&${range}&limit=180`);
    expect(whole).toHaveLength(180);
    expect(whole?.[0]?.start).toBe(new Date(end.getTime() - minute).toISOString());
    expect(whole?.at(-1)?.start).toBe(start.toISOString());
    for (const limit of [1, 7, 60, 179]) {
      const path = `/bars?symbol=BTC-USD&timeframe=1m&${range}&limit=${limit}`;
      const first = await page<Schemas["Bar"]>(path);
      const second = await page<Schemas["Bar"]>(`${path}&cursor=${first.meta.nextCursor}`);
      expect([...first.data, ...second.data]).toEqual(whole?.slice(0, Math.min(180, 2 * limit)));
    }
    const pages = await walk<Schemas["Bar"]>(`/bars?symbol=BTC-USD&timeframe=1m&${range}&limit=60`);
    expect(pages.map((one) => one.length)).toEqual([60, 60, 60]);
    expect(pages.flat()).toEqual(whole);
  });

  test("begin with the year 0000: before it there is no timestamp to tell them by", async () => {
    const bars = (query: string) => get<Schemas["Bar"][]>(`/bars?symbol=BTC-USD&timeframe=1d&${query}`);
    expect(await bars("end=0000-01-01T00:00:00Z")).toEqual([]);
    const first = await bars("end=0000-01-03T00:00:00Z");
    expect(first.map(({ start: at }) => at)).toEqual(["0000-01-02T00:00:00.000Z", "0000-01-01T00:00:00.000Z"]);
    expect(await bars("start=0000-01-01T00:00:00Z&end=0000-01-03T00:00:00Z")).toEqual(first);
  });

  test("without a range are those of the last 100 timeframes that are over, in one page", async () => {
    const { data, meta } = await page<Schemas["Bar"]>("/bars?symbol=BTC-USD");
    expect(data).toHaveLength(100);
    expect(meta).toMatchObject({ hasMore: false, nextCursor: null });
    const newest = Date.parse(data[0]?.start ?? "");
    expect(new Date(newest).toISOString()).toBe("2026-03-09T11:59:00.000Z");
  });

  test("begin at start or later and end at end or before it, to the millisecond", async () => {
    const starts = async (from: number, to: number): Promise<string[]> => {
      const [first, last] = [from, to].map((ms) => new Date(start.getTime() + ms).toISOString());
      const bars = await get<Schemas["Bar"][]>(`/bars?symbol=BTC-USD&start=${first}&end=${last}`);
      return bars.map((bar) => String((Date.parse(bar.start) - start.getTime()) / minute));
    };
    expect(await starts(0, 2 * minute)).toEqual(["1", "0"]);
    expect(await starts(1, 2 * minute)).toEqual(["1"]);
    expect(await starts(0, 2 * minute - 1)).toEqual(["0"]);
    expect(await starts(1, minute)).toEqual([]);
    expect(await starts(1, minute + 1)).toEqual([]);
  });

  test("of what lies ahead are refused, and so is a range that is none", async () => {
    const at = (ms: number): string => new Date(ms).toISOString();
    await expectRefused(`/bars?symbol=BTC-USD&end=${at(clock.now() + minute)}`, "end", "must not be in the future");
    const backwards = `start=${end.toISOString()}&end=${start.toISOString()}`;
    await expectRefused(`/bars?symbol=BTC-USD&${backwards}`, "start", "must be before end");
    const empty = `start=${end.toISOString()}&end=${end.toISOString()}`;
    await expectRefused(`/bars?symbol=BTC-USD&${empty}`, "start", "must be before end");
    await expectRefused(`/bars?symbol=BTC-USD&start=${at(clock.now() + minute)}`, "start", "must be in the past");
    await expectRefused("/bars?symbol=XRP-USD", "symbol", unknown);
  });

  test("go on with the cursor of their own list, and with no other", async () => {
    const { meta } = await page(`/bars?symbol=BTC-USD&timeframe=1m&${range}&limit=60`);
    for (const other of [
      `/bars?symbol=ETH-USD&timeframe=1m&${range}`,
      `/bars?symbol=BTC-USD&timeframe=1h&${range}`,
      `/bars?symbol=BTC-USD&timeframe=1m&start=${start.toISOString()}`,
      "/trades?symbol=BTC-USD",
      "/quotes?limit=1",
    ]) {
      const issue = "is not a cursor of this list; send the meta.nextCursor of its previous page unchanged";
      await expectRefused(`${other}&cursor=${meta.nextCursor}`, "cursor", issue);
    }
  });
});

describe("trades", () => {
  test("are those of 24 hours", async () => {
    const pages = await walk<Schemas["MarketTrade"]>("/trades?symbol=USDC-USD&limit=100");
    const times = pages.flat().map(({ at }) => Date.parse(at));
    expect(pages.at(-1)?.length).toBeGreaterThan(0);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(clock.now() - day);
    expect(Math.min(...times)).toBeLessThan(clock.now() - day + minute);
  });

  test("need a symbol of an instrument", async () => {
    await expectRefused("/trades", "symbol", "is required");
    await expectRefused("/trades?symbol=XRP-USD", "symbol", unknown);
  });
});

describe("an order book", () => {
  test("has its best bid below its best ask, and as many levels as are asked for", async () => {
    const book = await get<Schemas["OrderBook"]>("/order-books/BTC-USD");
    expect([book.bids.length, book.asks.length]).toEqual([10, 10]);
    const rising = [...book.bids.toReversed(), ...book.asks].map(({ price }) => units(price));
    expect(rising).toEqual([...new Set(rising)].toSorted((a, b) => Number(a - b)));
    const small = await get<Schemas["OrderBook"]>("/order-books/BTC-USD?depth=1");
    expect([small.bids.length, small.asks.length]).toEqual([1, 1]);
    expect((await get<Schemas["OrderBook"]>("/order-books/BTC-USD?depth=50")).bids).toHaveLength(10);
  });
});

const paths = ["/quotes", "/bars?symbol=BTC-USD", "/trades?symbol=BTC-USD", "/order-books/BTC-USD"];

describe("production", () => {
  const start = async (
    createPorts: typeof createSilentPorts,
  ): Promise<[TestGateway, (path: string) => Promise<unknown>]> => {
    const production = await startTestGateway({ env: { LIVEMODE: "true" }, createPorts });
    const { secret: key } = await production.createKey(await production.createAccount(), "read");
    return [production, (path) => production.call({ target: `/api/v1${path}`, key })];
  };

  test("without sources of prices answers 503 for all prices, and has its instruments", async () => {
    const [production, ask] = await start(() => noPorts);
    for (const path of paths) {
      expect(await ask(path)).toMatchObject(refused("UNAVAILABLE"));
    }
    expect(await ask("/instruments")).toMatchObject({ status: 200 });
    await production.stop();
  });

  test("with sources that cannot be asked answers 503 too, and the next answer is theirs again", async () => {
    let isAway = true;
    const sometimes =
      <Input, Answer>(answer: (input: Input) => Promise<Answer>) =>
      (input: Input) =>
        isAway ? Promise.reject(new Error("away")) : answer(input);
    const [production, ask] = await start((planFacts, readMarket) => {
      const { priceSources, ...ports } = createSilentPorts(planFacts, readMarket);
      if (!priceSources) {
        throw new Error("The simulation has prices.");
      }
      const { read, book, bars, trades } = priceSources;
      const away = { read: sometimes(read), book: sometimes(book), bars: sometimes(bars), trades: sometimes(trades) };
      return { ...ports, priceSources: away };
    });
    for (const path of paths) {
      expect(await ask(path)).toMatchObject(refused("UNAVAILABLE"));
    }
    isAway = false;
    for (const path of paths) {
      expect(await ask(path)).toMatchObject({ status: 200 });
    }
    await production.stop();
  });

  test("leaves a quote out that has one side only", async () => {
    const level = { price: "1.00", quantityMinor: 1 };
    const [production, ask] = await start((planFacts, readMarket) => {
      const { priceSources, ...ports } = createSilentPorts(planFacts, readMarket);
      return {
        ...ports,
        priceSources: priceSources && {
          ...priceSources,
          book: async ({ symbol }) => ({
            bids: symbol === "BTC-USD" ? [] : [level],
            asks: [{ ...level, price: "2.00" }],
          }),
        },
      };
    });
    const { json } = (await ask("/quotes?symbols=BTC-USD,ETH-USD")) as { json: Page<Schemas["Quote"]> };
    expect(json.data.map(({ symbol }) => symbol)).toEqual(["ETH-USD"]);
    await production.stop();
  });
});
