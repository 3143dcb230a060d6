import { useEach } from "@gateway/testkit";
import { expect, test } from "vitest";
import { createPortfolioClient, day, type Valuation } from "./support/portfolio-client.ts";
import { useGatewayAtNoon } from "./support/use-gateway.ts";

const { gateway } = useGatewayAtNoon();
const client = useEach(() => createPortfolioClient(gateway));

/** Draws the same numbers for the same seed, from 0 to below `end`. */
function createDraw(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % end;
  };
}

const drop = () =>
  gateway.platform.inAccount(client.account.id, ({ portfolio }) => portfolio.upkeep.drop(client.account.id));

async function allValuations(): Promise<Valuation[]> {
  const all: Valuation[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { json } = await client.call("GET", `/valuations?limit=100${cursor && `&cursor=${cursor}`}`);
    const { data, meta } = json as { data: Valuation[]; meta: { nextCursor: string | null } };
    all.push(...data);
    cursor = meta.nextCursor;
  }
  return all.toReversed();
}

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
  const made = await allValuations();
  expect(made.filter(({ kind }) => kind === "daily").length).toBeGreaterThanOrEqual(300);
  let previous: Valuation | undefined;
  let [profits, flows] = [0, 0];
  for (const valuation of made) {
    const { equity, netFlow, profit, previousId, lines } = valuation;
    expect(profit).toBe(Number(equity) - Number(previous?.equity ?? 0) - Number(netFlow));
    expect(previousId).toBe(previous?.id ?? null);
    expect(lines.reduce((sum, { value }) => sum + Number(value), 0)).toBe(equity);
    profits += Number(profit);
    flows += Number(netFlow);
    previous = valuation;
  }
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
