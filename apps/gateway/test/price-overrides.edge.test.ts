import type { Schemas } from "@gateway/contract";
import { createTestClock } from "@gateway/testkit";
import { beforeEach, expect, test } from "vitest";
import { dataOf, refused } from "./support/answers.ts";
import { createPriceWorld } from "./support/price-world.ts";
import { useGateway } from "./support/use-gateway.ts";

type PriceRound = Schemas["PriceRound"];
type Customer = { accountId: string; key: string };

const clock = createTestClock(Date.UTC(2026, 2, 9, 12));
const world = createPriceWorld();
let own: Customer;
let other: Customer;
let startMs: number;

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

const gateway = useGateway({ clock, keepsStill: true, createPorts: world.createPorts });
beforeEach(async () => {
  // A day of its own, on the minute.
  startMs = (Math.floor(clock.now() / 86_400_000) + 1) * 86_400_000;
  clock.set(startMs);
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
