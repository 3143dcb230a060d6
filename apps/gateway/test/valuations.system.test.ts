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

  test("one that is asked for stands between those of days", async () => {
    await client.createWallet("GBP", 100_000);
    await client.advance(await secondsToMidnight(client));
    await client.advance(3_600);
    await client.value();
    await client.advance(day);
    const made = await client.valuations();
    expect(made.map(({ kind }) => kind)).toEqual(["daily", "requested", "daily"]);
    expectChain(made);
  });

  test("years of them, and calculated again years later each is what it was", async () => {
    const wallet = await client.createWallet("BTC", 10_000_000);
    await client.value();
    for (let months = 0; months < 6; months += 1) {
      await client.advance(30 * day + 1_234);
      await client.fund(wallet, 1_000_000);
    }
    const before = await client.valuations();
    await client.advance(400 * day);
    await client.advance(400 * day);
    const check = { accountId: client.account.id, busyMs: 60_000 };
    const checked = await gateway.platform.portfolio.upkeep.checkValuations(check);
    expect(checked).toMatchObject({ different: [], isDone: true });
    expect(checked.checked).toBeGreaterThanOrEqual(before.length);
    const byId = await Promise.all(before.map(({ id }) => client.ask("GET", `/valuations/${id}`)));
    expect(byId).toEqual(before);
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

describe("dropped and built again", () => {
  test("equal to the byte, while others read and book", async () => {
    const quote = { walletId: await client.createWallet("USD", 10_000_000), currency: "USD" } as const;
    const base = { walletId: await client.createWallet("BTC"), currency: "BTC" } as const;
    const trade = () => client.fill({ side: "buy", base, quote, quantity: 1_234, charge: 79, fee: 1 });
    for (let count = 0; count < 30; count += 1) {
      await trade();
    }
    await client.value();
    const before = await client.rows();
    await gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));
    expect((await client.rows()).positions).toEqual([]);
    await client.positions();
    expect(await client.rows()).toEqual(before);
    await gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));
    await Promise.all([
      ...Array.from({ length: 20 }, trade),
      ...Array.from({ length: 20 }, () => client.call("GET", "/positions")),
    ]);
    const after = await client.positions();
    expect(after["BTC"]).toMatchObject({ quantity: 50 * 1_234, costBasis: 50 * 79, asOfSequence: 51 });
    const followed = await client.rows();
    await gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));
    await client.positions();
    expect(await client.rows()).toEqual(followed);
  });
});
