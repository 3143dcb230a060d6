import type { AuthServiceDeps } from "./user-audit.ts";
import { transaction } from "@gateway/database";
import type { Kysely } from "kysely";
import { createHash, randomBytes } from "node:crypto";
import { allowFactorChange, endSessionsProvedBy, raiseSession, type FactorChanger } from "./factor.ts";
import type { SecondFactor } from "./session.ts";
import type { AuthTables } from "./tables.ts";
import { base32Of, findTotpStep } from "./totp.ts";
import { recordUserAudit } from "./user-audit.ts";

export type Authenticator = { createdAt: Date; recoveryCodesLeft: number };

const recoveryCodeCount = 10;
/** 80 bits cannot be guessed, so a plain hash suffices. */
const recoveryCodeBytes = 10;

type AddInput = FactorChanger & { secret: Uint8Array; code: string };

/** Changes throw `FactorNotProved` unless the session may make them, and must run in a transaction. */
export function createAuthenticators(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  return {
    find: (userId: string) => findAuthenticator(db, userId),
    /**
     * Returns the recovery codes, only this once; null for a wrong code, "exists" when the user has an authenticator.
     */
    add: (input: AddInput) => transaction(db, (trx) => addAuthenticator(trx, deps, input)),
    /**
     * The factor that the code proves, or null. Of concurrent uses of a code, in any number of processes, one succeeds.
     */
    use: async ({ userId, code }: { userId: string; code: string }) => {
      const kind = kindOfCode(code);
      const used = { userId, code: bareOf(code) };
      const isUsed = await (kind === "totp" ? useTotp(db, deps, used) : useRecoveryCode(db, deps, used));
      return isUsed ? kind : null;
    },
    /** The previous codes become invalid. Null without an authenticator. */
    renewRecoveryCodes: (by: FactorChanger) => transaction(db, (trx) => renewRecoveryCodes(trx, deps, by)),
    remove: (by: FactorChanger) =>
      transaction(db, async (trx) => {
        const { userId } = by;
        await allowFactorChange(trx, by, "remove_app");
        const { numDeletedRows } = await trx
          .deleteFrom("authenticators")
          .where("user_id", "=", userId)
          .executeTakeFirst();
        if (numDeletedRows > 0n) {
          await endSessionsProvedBy(trx, by, { change: "remove_app", now: new Date(deps.clock.now()) });
          await recordUserAudit(trx, deps, { userId, type: "authenticator.removed" });
        }
        return numDeletedRows > 0n;
      }),
  };
}

/** The kind of factor that the code proves, if it is correct. */
export function kindOfCode(code: string): SecondFactor {
  return /^\d{6}$/.test(bareOf(code)) ? "totp" : "recovery_code";
}

function bareOf(code: string): string {
  return code.replaceAll(/[\s-]/g, "").toUpperCase();
}

async function findAuthenticator(db: Kysely<AuthTables>, userId: string): Promise<Authenticator | null> {
  const row = await db
    .selectFrom("authenticators")
    .select([
      "created_at",
      (select) =>
        select
          .selectFrom("recovery_codes")
          .select((codes) => codes.fn.countAll<string>().as("count"))
          .whereRef("recovery_codes.user_id", "=", "authenticators.user_id")
          .where("used_at", "is", null)
          .as("left"),
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ? { createdAt: row.created_at, recoveryCodesLeft: Number(row.left) } : null;
}

async function addAuthenticator(
  db: Kysely<AuthTables>,
  { clock, cipher, ...audit }: AuthServiceDeps,
  { secret, code, ...by }: AddInput,
): Promise<string[] | "exists" | null> {
  const { userId } = by;
  const verdict = await allowFactorChange(db, by, "add_app");
  const step = findTotpStep(secret, bareOf(code), clock.now());
  if (step === null) {
    return null;
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("authenticators")
    .values({
      user_id: userId,
      secret: cipher.seal(secret, contextOf(userId)),
      last_step: step,
      created_at: new Date(clock.now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) {
    return "exists";
  }
  await raiseSession(db, by, verdict);
  await recordUserAudit(db, audit, { userId, type: "authenticator.added" });
  return writeRecoveryCodes(db, userId);
}

async function useTotp(
  db: Kysely<AuthTables>,
  { clock, cipher }: AuthServiceDeps,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const row = await db.selectFrom("authenticators").select("secret").where("user_id", "=", userId).executeTakeFirst();
  const step = row ? findTotpStep(cipher.open(row.secret, contextOf(userId)), code, clock.now()) : null;
  if (!row || step === null) {
    return false;
  }
  const { numUpdatedRows } = await db
    .updateTable("authenticators")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    // The authenticator may have been replaced meanwhile.
    .where("secret", "=", row.secret)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function useRecoveryCode(
  db: Kysely<AuthTables>,
  { clock, ...audit }: AuthServiceDeps,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("recovery_codes")
      .set({ used_at: new Date(clock.now()) })
      .where("user_id", "=", userId)
      .where("code_hash", "=", hashOf(userId, code))
      .where("used_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) {
      await recordUserAudit(trx, audit, { userId, type: "recovery_code.used" });
    }
    return numUpdatedRows > 0n;
  });
}

async function renewRecoveryCodes(
  db: Kysely<AuthTables>,
  { clock, ...audit }: AuthServiceDeps,
  by: FactorChanger,
): Promise<string[] | null> {
  const { userId } = by;
  await allowFactorChange(db, by, "renew_recovery_codes");
  const row = await db
    .selectFrom("authenticators")
    .select("user_id")
    .where("user_id", "=", userId)
    .forUpdate()
    .execute();
  if (row.length === 0) {
    return null;
  }
  await endSessionsProvedBy(db, by, { change: "renew_recovery_codes", now: new Date(clock.now()) });
  await recordUserAudit(db, audit, { userId, type: "recovery_codes.renewed" });
  return writeRecoveryCodes(db, userId);
}

async function writeRecoveryCodes(db: Kysely<AuthTables>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => base32Of(randomBytes(recoveryCodeBytes)));
  await db.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await db
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) })))
    .execute();
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join("-"));
}

function hashOf(userId: string, code: string): Buffer {
  return createHash("sha256").update(`${userId} ${code}`).digest();
}

function contextOf(userId: string): string {
  return `authenticator ${userId}`;
}
