import type { AccountsDeps } from "./accounts-deps.ts";
import { deleteOldest } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { contextOf, expiredBefore, fingerprintContext, type StoredAnswer } from "./idempotency.ts";
import type { AccountsTables } from "./tables.ts";

const keptHours = 24;

type Claimed = { accountId: string; key: string };
type Held = Claimed & { holder: string };
type Claim = Held & { operationId: string; fingerprint: Buffer; leaseMs: number };

/** `running`: a request with the key is in flight. `reused`: the key belongs to a different request. */
type ClaimOutcome = "taken" | "running" | "reused" | "answered";

/**
 * Keys of writes that an upstream performs. A claim is committed before the upstream is called, so no connection is
 * held. Its lease ends by itself. A write with an unknown outcome keeps its key for 24 hours, for the same request
 * only.
 */
export type IdempotencyClaims = ReturnType<typeof createIdempotencyClaims>;

export function createIdempotencyClaims(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /** Must run in a transaction that holds the key, see `IdempotencyRecords.claim`. */
    take: (claim: Claim) => takeClaim(db, deps, claim),
    /** The outcome is unknown, so the same request may be sent again at once. */
    free: async ({ accountId, key, holder }: Held) => {
      await sql`
        update idempotency_claims set leased_until = gateway_now()
        where account_id = ${accountId} and key = ${key} and holder = ${holder}
      `.execute(db);
    },
    /** Nothing was done: the key is free for any request. */
    end: async ({ accountId, key, holder }: Held) => {
      await db
        .deleteFrom("idempotency_claims")
        .where("account_id", "=", accountId)
        .where("key", "=", key)
        .where("holder", "=", holder)
        .execute();
    },
    /** Replaces the claim by the response. Does nothing when the lease had ended and another request has the key. */
    answer: (answered: Held & StoredAnswer) => storeAnswer(db, deps, answered),
    deleteExpired: (limit: number) => {
      const until = sql<Date>`gateway_now() - ${keptHours}::integer * interval '1 hour'`;
      return deleteOldest(db, { from: "idempotency_claims", by: "created_at", until, limit });
    },
  };
}

async function takeClaim(
  db: Kysely<AccountsTables>,
  { cipher, clock }: AccountsDeps,
  { accountId, key, operationId, fingerprint, holder, leaseMs }: Claim,
): Promise<ClaimOutcome> {
  const found = await findLiving(db, { accountId, key });
  if (found) {
    const same = cipher.open(found.fingerprint, fingerprintContext(accountId, key)).equals(fingerprint);
    if (found.operation_id !== operationId || !same) {
      return "reused";
    }
    if (found.is_leased) {
      return "running";
    }
  }
  const sealed = cipher.seal(fingerprint, fingerprintContext(accountId, key));
  // A response is stored without holding the key. If that happens after the look for a record and before the look for a
  // claim, this statement sees the record.
  const { numAffectedRows } = await sql`
    insert into idempotency_claims (account_id, key, operation_id, fingerprint, holder, leased_until, created_at)
    select ${accountId}, ${key}, ${operationId}, ${sealed}::bytea, ${holder},
      gateway_now() + ${leaseMs}::integer * interval '1 millisecond', gateway_now()
    where not exists (
      select from idempotency_records where account_id = ${accountId} and key = ${key} and created_at > ${expiredBefore(clock)}
    )
    on conflict (account_id, key) do update set operation_id = excluded.operation_id,
      fingerprint = excluded.fingerprint, holder = excluded.holder, leased_until = excluded.leased_until,
      created_at = excluded.created_at
  `.execute(db);
  return numAffectedRows === 0n ? "answered" : "taken";
}

async function storeAnswer(
  db: Kysely<AccountsTables>,
  { cipher, clock }: AccountsDeps,
  { accountId, key, holder, operationId, fingerprint, status, body }: Held & StoredAnswer,
): Promise<void> {
  const sealed = {
    fingerprint: cipher.seal(fingerprint, fingerprintContext(accountId, key)),
    body: cipher.seal(body, contextOf(accountId, key)),
  };
  await sql`
    with ended as (
      delete from idempotency_claims where account_id = ${accountId} and key = ${key} and holder = ${holder}
      returning account_id, key
    )
    insert into idempotency_records (account_id, key, operation_id, fingerprint, status, body, created_at)
    select account_id, key, ${operationId}, ${sealed.fingerprint}::bytea, ${status}::smallint, ${sealed.body}::bytea,
      ${new Date(clock.now())}::timestamptz from ended
    on conflict (account_id, key) do update set operation_id = excluded.operation_id,
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at
  `.execute(db);
}

type Found = { operation_id: string; fingerprint: Buffer; is_leased: boolean };

async function findLiving(db: Kysely<AccountsTables>, { accountId, key }: Claimed): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select operation_id, fingerprint, leased_until > gateway_now() as is_leased from idempotency_claims
    where account_id = ${accountId} and key = ${key}
      and created_at > gateway_now() - ${keptHours}::integer * interval '1 hour'
  `.execute(db);
  return rows[0];
}
