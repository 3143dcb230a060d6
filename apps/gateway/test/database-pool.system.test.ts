import { holdLock, readMetric, waitFor } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import { refused } from "./support/answers.ts";
import { useGateway } from "./support/use-gateway.ts";

/** Number of short queries that createWallet makes one after the other, in addition to its work. */
let queryCount = 0;

const createWallet: typeof operationTable.createWallet = async (call) => {
  const answer = await operationTable.createWallet(call);
  for (let count = 0; count < queryCount; count += 1) {
    await call.deps.ledger.wallets.list({ accountId: call.principal.accountId, limit: 1 });
  }
  return answer;
};

describe("a gateway with two connections", () => {
  let key: string;

  const gateway = useGateway({
    databaseLimits: {},
    env: { DATABASE_POOL: "2" },
    operationTable: { ...operationTable, createWallet },
  });
  beforeAll(async () => {
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });

  const create = (name: string) =>
    gateway.call({ method: "POST", target: "/api/v1/wallets", key, body: { name, currency: "EUR" } });
  const wallets = async (): Promise<string[]> =>
    (await gateway.database.kysely.selectFrom("wallets").select("name").execute()).map(({ name }) => name);
  const measure = async (): Promise<(number | undefined)[]> => {
    const names = ["size", "in_use", "waiting"].map((name) => `gateway_database_pool_${name}`);
    return Promise.all(names.map(async (name) => (await readMetric(gateway.metricsPort, name)).get("")));
  };

  test("a request that makes many queries commits when they end in time", async () => {
    queryCount = 30;
    expect((await create("In time")).status).toBe(201);
    expect(await wallets()).toEqual(["In time"]);
  });

  test("one whose queries would go on for ever ends with 503 at the deadline of its transaction, and does nothing", async () => {
    queryCount = Infinity;
    expect(await create("Late")).toMatchObject(refused("UNAVAILABLE"));
    expect(await wallets()).not.toContain("Late");
  });

  test("its metrics say how many connections it may open, uses, and would need", async () => {
    queryCount = 0;
    await waitFor(async () => (await measure()).join() === "2,0,0");
    // Creating any wallet of the account waits for this row.
    const lock = await holdLock(gateway.databaseUrl, "select from accounts for update");
    let isHeld = true;
    // Waiting callers are refused after a second or two, and come again.
    const callers = Array.from({ length: 5 }, async (_, index) => {
      do {
        await create(`Waits ${index}`);
      } while (isHeld);
    });
    await waitFor(async () => {
      const [size, inUse, waiting = 0] = await measure();
      return size === 2 && inUse === 2 && waiting > 0;
    });
    isHeld = false;
    await lock.release();
    await Promise.all(callers);
    // One look must show both, because in the next one a query of the gateway's own may be in flight.
    const free = await waitFor(async () => {
      const measured = await measure();
      return measured[1] === 0 && measured[2] === 0 && measured;
    });
    expect(free).toEqual([2, 0, 0]);
  });
});
