import type { PlatformDatabase, Schema } from "../../src/index.ts";
import { createTestDatabase, waitFor, insertAccount, insertApiKey } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Listener, openDatabase } from "@gateway/database";

let db: PlatformDatabase;
let listener: Listener;
let heard: string[] = [];
let accountId: string;
let keyId: string;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url });
  listener = db.listen("credentials_changed", { onNotification: (payload) => heard.push(payload) });
  await waitFor(() => listener.isHealthy());
});

afterAll(async () => {
  await listener.close();
  await db.close();
});

beforeEach(async () => {
  accountId = await insertAccount(db.kysely);
  keyId = await insertApiKey(db.kysely, accountId);
  heard = [];
});

/** Everything committed before this has been heard when it resolves: notifications keep their order. */
async function settle(): Promise<void> {
  const marker = await insertAccount(db.kysely);
  await db.kysely.updateTable("accounts").set({ tier: "starter" }).where("id", "=", marker).execute();
  await waitFor(() => heard.includes(marker));
  heard = heard.filter((payload) => payload !== marker);
}

test.each([
  ["revoked", { revoked_at: new Date() }],
  ["given an end", { expires_at: new Date() }],
  ["given another permission", { permission: "admin" as const }],
  ["renamed", { name: "another name" }],
])("a key that is %s names its account", async (_change, values) => {
  await db.kysely.updateTable("api_keys").set(values).where("id", "=", keyId).execute();

  await settle();
  expect(heard).toEqual([accountId]);
});

test("a key that is deleted names its account", async () => {
  await db.kysely.deleteFrom("api_keys").where("id", "=", keyId).execute();

  await settle();
  expect(heard).toEqual([accountId]);
});

test("an account whose tier or limit changes is named", async () => {
  await db.kysely.updateTable("accounts").set({ requests_per_minute: 5 }).where("id", "=", accountId).execute();

  await settle();
  expect(heard).toEqual([accountId]);
});

test("the last use alone tells nobody, so every request may record it", async () => {
  const from = JSON.stringify({ address: "203.0.113.9", userAgent: null });
  await db.kysely
    .updateTable("api_keys")
    .set({ last_used_at: new Date(), last_used_from: from })
    .where("id", "=", keyId)
    .execute();

  await settle();
  expect(heard).toEqual([]);
});
