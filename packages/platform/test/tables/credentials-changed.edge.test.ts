import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import { createTestDatabase, waitFor, insertAccount, insertApiKey, patience } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Listener, openDatabase } from "@gateway/database";

let db: PlatformDatabase;
let listener: Listener;
let heard: string[] = [];
let accountId: string;
let keyId: string;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
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

/** Resolves when everything committed before was received, because notifications keep their order. */
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

test("the last use by a person or through an application alone tells nobody either, and what else changes of them does", async () => {
  const values = {
    id: "per_1",
    account_id: accountId,
    email: "a@example.com",
    role: "viewer",
    invited_at: new Date(),
  } as const;
  await db.kysely.insertInto("people").values(values).execute();
  const registered = {
    id: "app_1",
    account_id: accountId,
    name: "A",
    redirect_uris: [],
    redirect_origins: [],
    scopes: [],
  };
  await db.kysely
    .insertInto("oauth_applications")
    .values({ ...registered, created_at: new Date() })
    .execute();
  await settle();
  heard = [];
  const used = { last_used_at: new Date() };
  await db.kysely.updateTable("people").set(used).where("id", "=", "per_1").execute();
  await db.kysely.updateTable("oauth_applications").set(used).where("id", "=", "app_1").execute();
  await settle();
  expect(heard).toEqual([]);

  await db.kysely.updateTable("people").set({ role: "member" }).where("id", "=", "per_1").execute();
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
