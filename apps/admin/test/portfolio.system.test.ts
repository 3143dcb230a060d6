import { handlerOf, runWorkItem } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import { beforeAll, expect, test } from "vitest";
import { useAdmin } from "./support/use-admin.ts";

const admin = useAdmin();
let accountId: string;

beforeAll(async () => {
  accountId = await createAccount("a@example.com");
});

async function createAccount(email: string): Promise<string> {
  return (await admin.platform.accounts.create({ email, tier: "growth", requestsPerMinute: null }))?.id ?? "";
}

const rebuild = (id: string) => admin.run("portfolio", "rebuild", "--account", id, "--json");

const rows = async (): Promise<object[]> => [
  await admin.database.kysely.selectFrom("portfolios").selectAll().orderBy("account_id").execute(),
  await admin.database.kysely.selectFrom("positions").selectAll().orderBy("currency").execute(),
  await admin.database.kysely.selectFrom("valuations").selectAll().orderBy("id").execute(),
];

/** Runs due work like the worker, and returns its alarms. */
async function work(): Promise<string[]> {
  const alarms: string[] = [];
  const items = await admin.platform.work.queue.claim({ slots: 10, perAccount: 10, heldByAccount: new Map() });
  for (const item of items) {
    const context = { ...admin.platform.workContext(item), alarm: (message: string) => alarms.push(message) };
    await runWorkItem(context, handlerOf(item, workHandlers), item);
  }
  return alarms;
}

test("what was made of the ledger is dropped, and the worker makes it again: the same, and each valuation too", async () => {
  // Dollars need no price from a source.
  const wallet = { accountId, name: "W", currency: "USD", metadata: {} } as const;
  const { id } = await admin.platform.ledger.wallets.create(wallet);
  await admin.platform.inAccount(accountId, ({ ledger }) =>
    ledger.transactions.fund({ id, accountId, amountMinor: 5_000_000 }),
  );
  const made = await admin.platform.inAccount(
    accountId,
    ({ portfolio }) => portfolio.valuations.create({ accountId, externalId: null, metadata: {} }),
    { needs: [{ kind: "pricedPortfolio", accountId }] },
  );
  const before = await rows();

  const { code, stdout, stderr } = await rebuild(accountId);

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ account: accountId, dropped: true });
  expect((await rows())[1]).toEqual([]);
  expect(await work()).toEqual([]);
  expect(await rows()).toEqual(before);
  const { items } = await admin.platform.audit.list({ accountId, type: "portfolio.rebuilt", limit: 10 });
  expect(items).toMatchObject([{ actor: { type: "operator" } }]);

  await admin.database.kysely
    .updateTable("valuations")
    .set({ equity: "7" } as object)
    .execute();
  await rebuild(accountId);
  expect(await work()).toEqual([expect.stringContaining(made.id)]);
});

test("an account that never looked has nothing to drop, and one that there is not is named", async () => {
  const quiet = await createAccount("quiet@example.com");
  expect(JSON.parse((await rebuild(quiet)).stdout)).toEqual({ account: quiet, dropped: false });
  const { code, stderr } = await rebuild("acc_none");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("There is no account acc_none") });
});
