import { useEach } from "@gateway/testkit";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { createPortfolioClient, day, secondsToMidnight, type Valuation } from "./support/portfolio-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const { gateway } = useGatewayAtNoon();
const client = useEach(() => createPortfolioClient(gateway));

/** Each follows from its predecessor. */
function expectChain(valuations: readonly Valuation[]): void {
  let previous: Valuation | undefined;
  for (const valuation of valuations) {
    const { equity, netFlow, profit, lines, previousId } = valuation;
    expect(previousId).toBe(previous?.id ?? null);
    expect(profit).toBe((equity ?? 0) - (previous?.equity ?? 0) - (netFlow ?? 0));
    expect(lines.reduce((sum, line) => sum + (line.value ?? 0), 0)).toBe(equity);
    expect(valuation.ledgerSequence).toBeGreaterThanOrEqual(previous?.ledgerSequence ?? 0);
    expect(Date.parse(valuation.at)).toBeGreaterThanOrEqual(Date.parse(previous?.at ?? valuation.at));
    previous = valuation;
  }
}

describe("a valuation that is asked for", () => {
  test("counts what was booked before it, whether it was sealed or not, and can be read again", async () => {
    await client.createWallet("USD", 1_000_000);
    const first = await client.value();
    expect(first).toMatchObject({ kind: "requested", previousId: null, ledgerSequence: 1, equity: 1_000_000 });
    expect(first).toMatchObject({ netFlow: 1_000_000, profit: 0 });
    const wallet = await client.createWallet("BTC", 10_000_000);
    await client.fund(wallet, 5_000_000);
    const second = await client.value({ externalId: "month-end", metadata: { of: "march" } });
    expect(second).toMatchObject({ ledgerSequence: 3, previousId: first.id, metadata: { of: "march" } });
    expectChain([first, second]);
    expect(await client.ask("GET", `/valuations/${second.id}`)).toEqual(second);
    expect(await client.ask("GET", "/valuations?externalId=month-end")).toEqual([second]);
    expect(await client.valuations()).toEqual([first, second]);
  });

  test("a price that moves is profit, and money that comes in is none", async () => {
    await client.createWallet("BTC", 100_000_000);
    const first = await client.value();
    await client.ask("POST", "/sandbox/prices", { symbol: "BTC-USD", price: "200000.00" });
    await client.advance(60);
    await client.createWallet("USD", 500_000);
    const second = await client.value();
    expect(second.netFlow).toBe(500_000);
    expect((first.equity ?? 0) + (second.profit ?? 0)).toBeGreaterThan(19_000_000);
    expectChain([first, second]);
  });

  test("a stale price of what is there is PRICE_STALE, and nothing is written; of what is not it plays no part", async () => {
    const wallet = await client.createWallet("BTC");
    await client.createWallet("USD", 1_000);
    await client.ask("POST", "/sandbox/prices", { symbol: "BTC-USD", stale: true });
    await client.advance(600);
    expect(await client.value()).toMatchObject({ equity: 1_000 });
    await client.fund(wallet, 1_000);
    const refusal = await client.call("POST", "/valuations", { externalId: "refused" });
    expect(refusal).toMatchObject(refused("PRICE_STALE"));
    expect(await client.valuations()).toHaveLength(1);
    expect(await client.ask("GET", "/valuations?externalId=refused")).toEqual([]);
  });

  test("of 16 at once, each follows from the one before it", async () => {
    await client.createWallet("USD", 1_000);
    await Promise.all(Array.from({ length: 16 }, () => client.call("POST", "/valuations", {})));
    const made = await client.valuations();
    expect(made.length).toBeGreaterThan(0);
    expectChain(made);
  });
});

describe("the valuation of a day", () => {
  test("is made at 00:00 UTC by itself, of what was booked until then, once", async () => {
    const wallet = await client.createWallet("BTC", 10_000_000);
    await client.positions();
    await client.advance((await secondsToMidnight(client)) + 3_600);
    await client.fund(wallet, 10_000_000);
    const rows = await client.rows();
    expect(rows.valuations).toHaveLength(1);
    const [first] = await client.valuations();
    expect(first).toMatchObject({
      kind: "daily",
      ledgerSequence: 1,
      lines: [{ currency: "BTC", quantity: 10_000_000 }],
    });
    expect(first?.at).toMatch(/T00:00:00\.000Z$/);
    await client.advance(2 * day);
    const made = await client.valuations();
    expect(made.map(({ kind, ledgerSequence }) => `${kind} ${ledgerSequence}`)).toEqual([
      "daily 1",
      "daily 2",
      "daily 2",
    ]);
    expectChain(made);
  });

  test("is the same when nobody looked for days, and when what was booked after it came first", async () => {
    const quiet = await createPortfolioClient(gateway);
    const both = [client, quiet];
    for (const one of both) {
      await one.createWallet("ETH", 1_000_000_000);
    }
    await client.positions();
    for (const one of both) {
      await one.advance((await secondsToMidnight(one)) + 600);
      const wallet = await one.createWallet("BTC", 1_000_000);
      await one.advance(2 * day);
      await one.fund(wallet, 1_000_000);
    }
    const [seen, unseen] = [await client.valuations(), await quiet.valuations()];
    const contentOf = ({ at, ledgerSequence, equity, lines }: Valuation) => ({ at, ledgerSequence, equity, lines });
    expect(unseen.map(contentOf)).toEqual(seen.map(contentOf));
    expect(seen.map(({ ledgerSequence }) => ledgerSequence)).toEqual([1, 2, 2]);
    expectChain(unseen);
  });

  test("has a stale price too, and says so", async () => {
    await client.createWallet("BTC", 10_000_000);
    await client.ask("POST", "/sandbox/prices", { symbol: "BTC-USD", stale: true });
    await client.advance(2 * day);
    const made = await client.valuations();
    expect(made.at(-1)).toMatchObject({ kind: "daily", lines: [{ priceStale: true }] });
    expectChain(made);
  });

  test("one that somebody changed is named", async () => {
    await client.createWallet("USD", 1_000);
    const { id } = await client.value();
    const check = { accountId: client.account.id, busyMs: 10_000 };
    expect(await gateway.platform.portfolio.upkeep.checkValuations(check)).toMatchObject({ different: [] });
    await sql`update valuations set equity = 7 where id = ${id}`.execute(gateway.database.kysely);
    expect(await gateway.platform.portfolio.upkeep.checkValuations(check)).toMatchObject({ different: [id] });
  });
});

/** Draws the same numbers for the same seed, from 0 to below `end`. */
function createDraw(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % end;
  };
}

const sumOf = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((sum, one) => sum + Number(one), 0);
const drop = () =>
  gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));

test("over 300 random days profit is equity - previous - netFlow, and all of it is the same when it is made again", async () => {
  const draw = createDraw(4711);
  const quote = { walletId: await client.createWallet("USD", 1_000_000_000), currency: "USD" } as const;
  const bases = [
    { walletId: await client.createWallet("BTC", 50_000_000), currency: "BTC" } as const,
    { walletId: await client.createWallet("ETH", 5_000_000_000), currency: "ETH" } as const,
    { walletId: await client.createWallet("EUR", 1_000_000), currency: "EUR" } as const,
  ];
  await client.createWallet("JPY", 1_234_567);
  for (let days = 0; days < 300;) {
    const some = 1 + draw(20);
    await client.advance(some * day + draw(3_600));
    days += some;
    const base = bases[draw(3)] ?? expect.unreachable();
    const side = draw(2) === 0 ? "buy" : "sell";
    await client.fill({
      ...{ side, base, quote, quantity: 1 + draw(10_000), charge: draw(100_000), fee: 0 },
    });
    if (draw(3) === 0) {
      await client.fund(base.walletId, 1 + draw(100_000));
    }
    if (draw(10) === 0) {
      await client.value();
    }
  }
  const made = (await client.walk<Valuation>("/valuations", 100)).toReversed();
  expect(made.filter(({ kind }) => kind === "daily").length).toBeGreaterThanOrEqual(300);
  expectChain(made);
  const [profits, flows] = [sumOf(made.map(({ profit }) => profit)), sumOf(made.map(({ netFlow }) => netFlow))];
  const last = await client.value();
  const portfolio = await client.portfolio();
  expect(flows + Number(last.netFlow)).toBe(portfolio.netFlow);
  expect(profits + Number(last.profit)).toBe(Number(last.equity) - Number(portfolio.netFlow));
  const before = await client.rows();
  await drop();
  await client.positions();
  expect(await client.rows()).toEqual(before);
  const check = { accountId: client.account.id, busyMs: 120_000 };
  expect(await gateway.platform.portfolio.upkeep.checkValuations(check)).toEqual({
    ...{ checked: made.length + 1, different: [], isDone: true },
  });
}, 300_000);

test("dropped again and again while others trade and look: each ledger transaction counts once, and it ends where it would have", async () => {
  const quote = { walletId: await client.createWallet("USD", 1_000_000_000), currency: "USD" } as const;
  const base = { walletId: await client.createWallet("BTC"), currency: "BTC" } as const;
  let trades = 0;
  let isOver = false;
  const trade = async (): Promise<void> => {
    while (!isOver) {
      await client.fill({ side: "buy", base, quote, quantity: 1_000, charge: 64, fee: 1 });
      trades += 1;
    }
  };
  const statuses: number[] = [];
  const look = async (): Promise<void> => {
    while (!isOver) {
      statuses.push((await client.call("GET", "/positions")).status);
    }
  };
  const rebuild = async (): Promise<void> => {
    for (let times = 0; times < 10; times += 1) {
      await drop();
      await client.call("GET", "/portfolio");
      await client.call("POST", "/valuations", {});
    }
    isOver = true;
  };
  await Promise.all([trade(), trade(), look(), look(), look(), rebuild()]);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  const { BTC, USD } = await client.positions();
  expect(BTC).toMatchObject({ quantity: 1_000 * trades, costBasis: 64 * trades, asOfSequence: 1 + trades });
  expect(USD).toMatchObject({ quantity: 1_000_000_000 - 65 * trades, realizedProfit: -trades });
  const followed = await client.rows();
  await drop();
  await client.positions();
  expect(await client.rows()).toEqual(followed);
  const check = { accountId: client.account.id, busyMs: 60_000 };
  expect(await gateway.platform.portfolio.upkeep.checkValuations(check)).toMatchObject({ different: [], isDone: true });
});
