import { deleteOldest } from "@gateway/database";
import type { Cipher, Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { AccountsTables } from "./tables.ts";

const keptMs = 24 * 60 * 60 * 1000;

/** The first response to an idempotency key. `fingerprint` shows whether a later request is the same one. */
export type StoredAnswer = { operationId: string; fingerprint: Buffer; status: number; body: Buffer };

/**
 * Responses kept for 24 hours under (account, Idempotency-Key), encrypted, because some hold a secret that is shown
 * once. All methods except `deleteExpired` belong in the transaction of the effect, so that both are committed or
 * neither.
 */
export interface IdempotencyRecords {
  /** Locks the key until the transaction ends; waits at most the lock_timeout. Returns the stored response, or null. */
  claim(input: { accountId: string; key: string }): Promise<StoredAnswer | null>;
  store(input: { accountId: string; key: string } & StoredAnswer): Promise<void>;
  deleteExpired(limit: number): Promise<number>;
}

export function createIdempotencyRecords(
  db: Kysely<AccountsTables>,
  deps: { clock: Clock; cipher: Cipher },
): IdempotencyRecords {
  return {
    claim: async ({ accountId, key }) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${contextOf(accountId, key)}, 0))`.execute(db);
      const row = await db
        .selectFrom("idempotency_records")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("key", "=", key)
        .where("created_at", ">", expiredBefore(deps.clock))
        .executeTakeFirst();
      return row
        ? {
            operationId: row.operation_id,
            fingerprint: deps.cipher.open(row.fingerprint, fingerprintContext(accountId, key)),
            status: row.status,
            body: deps.cipher.open(row.body, contextOf(accountId, key)),
          }
        : null;
    },
    store: async ({ accountId, key, operationId, fingerprint, status, body }) => {
      const answer = {
        operation_id: operationId,
        fingerprint: deps.cipher.seal(fingerprint, fingerprintContext(accountId, key)),
        status,
        body: deps.cipher.seal(body, contextOf(accountId, key)),
        created_at: new Date(deps.clock.now()),
      };
      await db
        .insertInto("idempotency_records")
        .values({ account_id: accountId, key, ...answer })
        // Only an expired record can conflict, because `claim` would have found any other.
        .onConflict((conflict) => conflict.columns(["account_id", "key"]).doUpdateSet(answer))
        .execute();
    },
    deleteExpired: (limit) => {
      const until = expiredBefore(deps.clock);
      return deleteOldest(db, { from: "idempotency_records", by: "created_at", until, limit });
    },
  };
}

export function expiredBefore(clock: Clock): Date {
  return new Date(clock.now() - keptMs);
}

export function fingerprintContext(accountId: string, key: string): string {
  return `fingerprint of ${contextOf(accountId, key)}`;
}

export function contextOf(accountId: string, key: string): string {
  return `idempotency ${accountId} ${key}`;
}
