import { transaction } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { endSessions } from "./end-sessions.ts";
import {
  hasFactor,
  judgeFactorChange,
  type FactorChange,
  type FactorsHeld,
  type FactorVerdict,
} from "./factor-rule.ts";
import type { AuthTables } from "./tables.ts";
import { recordUserAudit, type AuthServiceDeps } from "./user-audit.ts";

/** The user and the session that change factors. The factors that the session proved are read from its row. */
export type FactorChanger = { userId: string; sessionId: string };

/** Thrown when the session must first prove an existing factor. Nothing has changed. */
export class FactorNotProved extends Error {
  override name = "FactorNotProved";
}

export function createFactors(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  return {
    find: (userId: string) => findFactors(db, userId),
    /**
     * Removes all factors and ends all sessions, for an operator who knows the user. False when there was no factor.
     */
    removeAll: (userId: string) => transaction(db, (trx) => removeAllFactors(trx, deps, userId)),
  };
}

/**
 * Checks every change of factors. Locks the user's row, so that the second of two changes is judged after the first.
 */
export async function allowFactorChange(
  trx: Kysely<AuthTables>,
  { userId, sessionId }: FactorChanger,
  change: FactorChange,
): Promise<Extract<FactorVerdict, { isAllowed: true }>> {
  await lockUser(trx, userId);
  const session = await trx
    .selectFrom("sessions")
    .select(["method", "second_factor"])
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const proof = session && { method: session.method, secondFactor: session.second_factor };
  const verdict = proof
    ? judgeFactorChange(await findFactors(trx, userId), proof, change)
    : { isAllowed: false as const };
  if (!verdict.isAllowed) {
    throw new FactorNotProved(`Session ${sessionId} must prove a second factor of its user first: ${change}.`);
  }
  return verdict;
}

/** Marks the session as having proved the factor that it set up. */
export async function raiseSession(
  trx: Kysely<AuthTables>,
  { sessionId }: FactorChanger,
  { proves }: Extract<FactorVerdict, { isAllowed: true }>,
): Promise<void> {
  if (proves !== null) {
    await trx.updateTable("sessions").set({ second_factor: proves }).where("id", "=", sessionId).execute();
  }
}

const provedBy = {
  remove_app: sql<boolean>`second_factor is not null`,
  renew_recovery_codes: sql<boolean>`second_factor = 'recovery_code'`,
  remove_passkey: sql<boolean>`method = 'passkey'`,
} as const;

/** Ends the other sessions that proved the removed factor, because they may belong to a lost device or a found code. */
export async function endSessionsProvedBy(
  trx: Kysely<AuthTables>,
  { userId, sessionId }: FactorChanger,
  { change, now }: { change: keyof typeof provedBy; now: Date },
): Promise<void> {
  await endSessions(trx, { userId, now }).where("id", "<>", sessionId).where(provedBy[change]).execute();
}

async function findFactors(db: Kysely<AuthTables>, userId: string): Promise<FactorsHeld> {
  const { rows } = await sql<{ has_app: boolean; passkeys: string }>`
    select exists (select from authenticators where user_id = ${userId}) as has_app,
      (select count(*) from passkeys where user_id = ${userId}) as passkeys
  `.execute(db);
  return { hasApp: rows[0]?.has_app ?? false, passkeyCount: Number(rows[0]?.passkeys ?? 0) };
}

async function removeAllFactors(trx: Kysely<AuthTables>, deps: AuthServiceDeps, userId: string): Promise<boolean> {
  await lockUser(trx, userId);
  const held = await findFactors(trx, userId);
  if (!hasFactor(held)) {
    return false;
  }
  const passkeys = await trx.deleteFrom("passkeys").where("user_id", "=", userId).returning("name").execute();
  for (const before of passkeys) {
    await recordUserAudit(trx, deps, { userId, type: "passkey.removed", before });
  }
  await trx.deleteFrom("authenticators").where("user_id", "=", userId).execute();
  if (held.hasApp) {
    await recordUserAudit(trx, deps, { userId, type: "authenticator.removed" });
  }
  await endSessions(trx, { userId, now: new Date(deps.clock.now()) }).execute();
  return true;
}

async function lockUser(trx: Kysely<AuthTables>, userId: string): Promise<void> {
  await sql`select 1 from users where id = ${userId} for update`.execute(trx);
}
