import { waitFor } from "@gateway/testkit";
import { expect, onTestFinished, test } from "vitest";
import { watchFollowingLag, type FollowingLag } from "../src/waiting/following-lag.ts";

type Transactions = { oldest: string; next: string };

/** Looks all the time, at what the test says is under way. */
function watch(): { lag: FollowingLag; see(transactions: Transactions | null, atMs: number): Promise<void> } {
  let [underWay, nowMs, looks]: [Transactions | null, number, number] = [{ oldest: "10", next: "10" }, 0, 0];
  const read = (): Promise<Transactions> => {
    looks += 1;
    return underWay === null ? Promise.reject(new Error("away")) : Promise.resolve(underWay);
  };
  const lag = watchFollowingLag(read, { now: () => nowMs, everyMs: 1 });
  onTestFinished(() => lag.stop());
  const see = async (transactions: Transactions | null, atMs: number): Promise<void> => {
    [underWay, nowMs] = [transactions, atMs];
    const before = looks;
    await waitFor(() => looks > before + 1);
  };
  return { lag, see };
}

test("lasts as long as the oldest transaction that writes, and begins anew with the next one", async () => {
  const { lag, see } = watch();
  await see({ oldest: "10", next: "12" }, 1_000);
  await see({ oldest: "10", next: "15" }, 61_000);
  expect(lag.lagMs()).toBe(60_000);
  await see({ oldest: "14", next: "15" }, 70_000);
  expect(lag.lagMs()).toBe(0);
});

test("is none while nobody writes, however long that is", async () => {
  const { lag, see } = watch();
  await see({ oldest: "10", next: "10" }, 1_000);
  await see({ oldest: "10", next: "10" }, 100_000);
  expect(lag.lagMs()).toBe(0);
});

test("is no number while the database does not say", async () => {
  const { lag, see } = watch();
  await see(null, 1_000);
  expect(lag.lagMs()).toBeNaN();
  await see({ oldest: "10", next: "10" }, 2_000);
  expect(lag.lagMs()).toBe(0);
});
