import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import { handlerOf, runWorkItem } from "@gateway/platform/compose/run-work-item";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import { createEventRules } from "@gateway/platform/events";
import { createTestDatabase, startScript, patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";

let url: string;
let database: PlatformDatabase;
let platform: Platform;
let accountId: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = openDatabase<Schema>({ url, maxConnections: 2, ...patience });
  platform = createPlatform(database, {
    clock: systemClock,
    cipher: createCipher([randomBytes(32)]),
    cursors: createCursorCodec(randomBytes(32)),
    livemode: false,
    eventRules: createEventRules({ webhookAllowedHosts: [] }),
  });
  accountId = await createAccount("a@example.com");
});
afterAll(() => database.close());

async function createAccount(email: string): Promise<string> {
  return (await platform.accounts.create({ email, tier: "growth", requestsPerMinute: null }))?.id ?? "";
}

const rebuild = async (id: string) => {
  const args = ["portfolio", "rebuild", "--account", id, "--json"];
  const program = startScript("apps/admin/src/main.ts", args, { env: { DATABASE_URL: url } });
  return { code: await program.exited, stdout: program.stdout(), stderr: program.stderr() };
};

const rows = async (): Promise<object[]> => [
  await database.kysely.selectFrom("portfolios").selectAll().orderBy("account_id").execute(),
  await database.kysely.selectFrom("positions").selectAll().orderBy("currency").execute(),
  await database.kysely.selectFrom("valuations").selectAll().orderBy("id").execute(),
];

/** As the worker does: what it alarms of. */
async function work(): Promise<string[]> {
  const alarms: string[] = [];
  const items = await platform.work.queue.claim({ slots: 10, perAccount: 10, heldByAccount: new Map() });
  for (const item of items) {
    const context = { ...platform.workContext(item), alarm: (message: string) => alarms.push(message) };
    await runWorkItem(context, handlerOf(item, workHandlers), item);
  }
  return alarms;
}

test("what was made of the ledger is dropped, and the worker makes it again: the same, and each valuation too", async () => {
  // Dollars have no price that somebody would be asked for.
  const wallet = { accountId, name: "W", currency: "USD", metadata: {} } as const;
  const { id } = await platform.ledger.wallets.create(wallet);
  await platform.inAccount(accountId, ({ ledger }) =>
    ledger.transactions.fund({ id, accountId, amountMinor: 5_000_000 }),
  );
  const made = await platform.inAccount(
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
  const { items } = await platform.audit.list({ accountId, type: "portfolio.rebuilt", limit: 10 });
  expect(items).toMatchObject([{ actor: { type: "operator" } }]);

  await database.kysely
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
