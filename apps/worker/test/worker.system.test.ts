import type { PlatformHandlers } from "@gateway/platform/compose/run-work-item";
import { createDatabaseTestClock, createTestFolder, readMetric, waitFor } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "./support/world.ts";

let world: World;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

const ends: PlatformHandlers[string] = async () => async () => null;

test("what is armed while a worker sleeps is done", async () => {
  await world.start({ tick: ends });
  await world.platform.work.queue.arm({ accountId: "acc_a", kind: "tick", subjectId: "s", firesAt: new Date(0) });
  await waitFor(async () => (await world.items()).length === 0);
  expect((await world.platform.work.queue.measure()).dueCount).toBe(0);
});

test("an account with 10,000 due items holds a fifth of the slots, and another's item does not wait behind them", async () => {
  await world.arm({ accountId: "acc_a", count: 10_000 });
  const going = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  await world.start(
    {
      tick: async ({ accountId }) => {
        if (accountId === "acc_a") {
          underWay += 1;
          most = Math.max(most, underWay);
          await going.promise;
          underWay -= 1;
        }
        return async () => null;
      },
    },
    { WORKER_SLOTS: "20" },
  );
  await waitFor(() => underWay === 4);
  for (let account = 0; account < 30; account += 1) {
    await world.arm({ accountId: `acc_b${account}` });
  }
  await waitFor(async () => !(await world.items()).some(({ subject_id: subject }) => subject.startsWith("acc_b")));
  expect(most).toBe(4);
  going.resolve();
  await waitFor(async () => (await world.items()).length < 9_900);
  expect(most).toBe(4);
});

test("what fails is told, kept, and tried again when its time comes; what nobody knows likewise", async () => {
  const clock = await createDatabaseTestClock(world.url, Date.now());
  let tries = 0;
  await world.start({
    tick: async () => async () => {
      tries += 1;
      if (tries === 1) {
        throw new Error("not yet");
      }
      return null;
    },
  });
  await world.arm({ accountId: "acc_a" });
  await world.arm({ accountId: "acc_b", kind: "unknown" });
  await waitFor(async () => (await world.items()).every(({ lease, attempts }) => lease === null && attempts === 1));
  expect(tries).toBe(1);
  const told = world.log.filter((line) => line.includes("work failed; it is tried again"));
  expect(told).toHaveLength(2);
  expect(told.find((line) => line.includes("acc_a_1"))).toContain("not yet");
  expect(told.find((line) => line.includes("acc_b_1"))).toContain("knows no work of the kind");
  await clock.advance(1_100);
  await waitFor(async () => (await world.items()).length === 1);
  expect(await world.items()).toMatchObject([{ subject_id: "acc_b_1" }]);
});

test("probes and metrics, on a port of their own", async () => {
  const { metricsPort } = await world.start({ tick: ends });
  await world.arm({ accountId: "acc_a", count: 3 });
  await world.database.kysely
    .insertInto("inbox_facts")
    .values({
      ...{ account_id: "acc_a", id: "fct_a", port: "chain", fact_id: "1", subject_id: "s", fact: "{}" },
      ...{ status: "parked", received_at: new Date(Date.now() - 700_000) },
    })
    .execute();
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${metricsPort}${path}`);
  expect((await get("/livez")).status).toBe(200);
  expect((await get("/readyz")).status).toBe(200);
  const done = 'worker_items_total{kind="tick",outcome="done"}';
  await waitFor(async () => (await (await get("/metrics")).text()).includes(`${done} 3`));
  await world.database.kysely
    .insertInto("work_items")
    .values({
      ...{ account_id: "acc_b", id: "wki_b", kind: "unknown", subject_id: "s", attempts: 20 },
      ...{ fires_at: new Date(), due_at: new Date(Date.now() + 3_600_000) },
    })
    .execute();
  const read = async (name: string) => (await readMetric(metricsPort, name)).get("");
  await waitFor(async () => (await read("worker_queue_failing")) === 1);
  expect(await read("worker_queue_due")).toBe(0);
  expect(await read("worker_queue_oldest_due_seconds")).toBe(0);
  expect(await read("worker_facts_parked")).toBe(1);
  expect(await read("worker_facts_oldest_parked_seconds")).toBeGreaterThanOrEqual(699);
  expect(await read("worker_facts_alarming")).toBe(1);
  expect(await read("worker_database_pool_size")).toBe(10);
  expect(await (await get("/metrics")).text()).toContain('worker_alarms_total{kind="tick"} 0');
});

test("it does the work of the product: what the simulated chain was to tell is told, and booked", async () => {
  const { accounts, custody, ledger, work } = world.platform;
  const { id: accountId = "" } =
    (await accounts.create({ email: "a@example.com", tier: "starter", requestsPerMinute: null })) ?? {};
  const wallet = await ledger.wallets.create({ accountId, name: "W", currency: "USDC", metadata: {} });
  const own = { accountId, walletId: wallet.id };
  const obtained = await custody.depositAddresses.obtain({ ...own, requestKey: "one" });
  const { address, network } = await custody.depositAddresses.create({ ...own, address: obtained.value });
  await world.start();
  const amounts = { currency: "USDC", amountMinor: 5_000_000, confirmations: 12, outputIndex: 0, sequence: 1 } as const;
  const transactionHash = `0x${"ab".repeat(32)}`;
  const fact = { type: "confirmed", network, address, transactionHash, ...amounts } as const;
  await work.plannedFacts.plan({ accountId, facts: [{ port: "chain", factId: "1", afterMs: 0, fact }] });
  await waitFor(async () => (await ledger.wallets.get({ id: wallet.id, accountId }))?.availableMinor === 5_000_000);
  expect(await world.items()).toEqual([]);
});

describe("in production", () => {
  const seen: object[] = [];
  const checks: PlatformHandlers = {
    tick: async ({ accountId, subjectId }, { ports }) => {
      seen.push(Object.entries(ports).map(([name, port]) => [name, port !== null]));
      const subject = { givenName: "A", familyName: "B", birthDate: "1990-01-01", country: "DE", address: "C" };
      await ports.kycEngine?.check({ accountId, verificationId: subjectId, subject, documents: [] });
      return async () => null;
    },
  };
  beforeEach(() => seen.splice(0));

  test("without PORTS there is nothing outside", async () => {
    await world.arm({ accountId: "acc_a" });
    await world.start(checks, { LIVEMODE: "true" });
    await waitFor(async () => (await world.items()).length === 0);
    expect(seen).toEqual([
      Object.entries({ chain: false, rail: false, kycEngine: false, priceSources: false, venue: false }),
    ]);
  });

  test("the module of PORTS is what is outside: it has its settings, and what it tells is received, also while it is made", async () => {
    const PORTS = join(await createTestFolder(), "ports.mjs");
    await writeFile(
      PORTS,
      `export async function createPorts({ settings, inbox }) {
        const tell = (accountId, verificationId) => inbox.receive({
          port: "kycEngine", factId: settings.KYC_NAME + " " + verificationId, accountId,
          fact: { type: "passed", verificationId },
        });
        await tell("acc_early", "kyc_early");
        return { kycEngine: { check: ({ accountId, verificationId }) => tell(accountId, verificationId) } };
      }`,
    );
    await world.arm({ accountId: "acc_a" });
    await world.start(checks, { LIVEMODE: "true", PORTS, KYC_NAME: "engine" });
    await waitFor(async () => (await world.items()).length === 0);
    expect(seen).toEqual([
      Object.entries({ chain: false, rail: false, kycEngine: true, priceSources: false, venue: false }),
    ]);
    const told = await world.database.kysely.selectFrom("inbox_facts").select("fact_id").orderBy("id").execute();
    expect(told.map(({ fact_id: factId }) => factId)).toEqual(["engine kyc_early", "engine acc_a_1"]);
  });
});
