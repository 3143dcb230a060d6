import { randomBytes, randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { Schema } from "@gateway/platform/compose/schema";

/** Rows that a test of the database is about, without the rules of the platform. */
export async function insertAccount(db: Kysely<Schema>, email = `${randomUUID()}@example.com`): Promise<string> {
  const id = randomUUID();
  await db.insertInto("accounts").values({ id, email, tier: "growth", created_at: new Date() }).execute();
  return id;
}

export async function insertApiKey(db: Kysely<Schema>, accountId: string): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto("api_keys")
    .values({
      id,
      account_id: accountId,
      name: "a key",
      permission: "read",
      secret_hash: randomBytes(32),
      hint: "gk_test_...",
      created_at: new Date(),
    })
    .execute();
  return id;
}

export async function insertWallet(db: Kysely<Schema>, accountId: string, available = 0): Promise<string> {
  const id = randomUUID();
  const wallet = {
    id,
    account_id: accountId,
    name: "a wallet",
    currency: "EUR" as const,
    available,
    pending: 0,
    metadata: "{}",
    created_at: new Date(),
  };
  await db.insertInto("wallets").values(wallet).execute();
  return id;
}
