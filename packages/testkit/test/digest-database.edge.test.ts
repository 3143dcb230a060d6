import { openDatabase } from "@gateway/database";
import type { Schema } from "@gateway/platform/compose/schema";
import { expect, test } from "vitest";
import {
  createTestDatabase,
  digestDatabase,
  insertAccount,
  insertApiKey,
  insertWallet,
  patience,
} from "../src/index.ts";

test("a digest names the table whose rows changed, by number or by content, and sees no time of last use", async () => {
  const database = openDatabase<Schema>({
    url: (await createTestDatabase()).url,
    ...patience,
    applicationName: "test",
  });
  const { kysely } = database;
  const accountId = await insertAccount(kysely);
  const walletId = await insertWallet(kysely, accountId);
  await insertApiKey(kysely, accountId);
  const before = await digestDatabase(database);
  expect(before).toMatchObject({ wallets: expect.stringMatching(/^1 rows, /), events: "0 rows, " });

  await kysely.updateTable("api_keys").set({ last_used_at: new Date() }).execute();
  expect(await digestDatabase(database)).toEqual(before);

  await kysely.updateTable("wallets").set({ name: "renamed" }).where("id", "=", walletId).execute();
  const renamed = await digestDatabase(database);
  expect(renamed).toEqual({ ...before, wallets: expect.stringMatching(/^1 rows, /) });
  expect(renamed["wallets"]).not.toBe(before["wallets"]);

  await kysely.updateTable("wallets").set({ name: "a wallet" }).where("id", "=", walletId).execute();
  expect(await digestDatabase(database)).toEqual(before);

  await kysely.deleteFrom("wallets").execute();
  expect(await digestDatabase(database)).toEqual({ ...before, wallets: "0 rows, " });
  await database.close();
});
