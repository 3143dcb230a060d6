import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, insertAccount, insertWallet, patience } from "@gateway/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, type Named, openDatabase, prepareQuery } from "../src/index.ts";

let db: Database<Schema>;
let account: string;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
  account = await insertAccount(db.kysely);
  await insertWallet(db.kysely, account, 1);
  await insertWallet(db.kysely, account, 2);
});

afterAll(() => db.close());

type Values = { account: string; least: number };

function selectWallets({ account: ofAccount, least }: Named<Values>) {
  return db.kysely
    .selectFrom("wallets")
    .select("available")
    .where("account_id", "=", ofAccount)
    .where("available", ">=", least)
    .where("pending", "=", 0)
    .orderBy("available");
}

test("each run has its own values, and the query is put together once", async () => {
  const build = vi.fn<typeof selectWallets>(selectWallets);
  const find = prepareQuery(db.kysely, build);
  expect(build).not.toHaveBeenCalled();
  const runs = [1, 2, 3].map((least) => find({ account, least }));
  expect(await Promise.all(runs)).toEqual([[{ available: 1 }, { available: 2 }], [{ available: 2 }], []]);
  expect(await find({ account: "acc_of_nobody", least: 1 })).toEqual([]);
  expect(build).toHaveBeenCalledTimes(1);
});

test("a run in a transaction sees what that has written", async () => {
  const rows = await db.kysely.transaction().execute(async (trx) => {
    await trx.updateTable("wallets").set({ available: 7 }).where("available", "=", 2).execute();
    return prepareQuery(trx, selectWallets)({ account, least: 7 });
  });
  expect(rows).toEqual([{ available: 7 }]);
});
