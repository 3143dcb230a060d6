import type { AuthServiceDeps } from "./user-audit.ts";
import { nounOf, type NounOf } from "@gateway/engine/noun";
import { transaction } from "@gateway/database";
import { firstOf } from "@gateway/engine/find-own";
import type { Kysely, Selectable } from "kysely";
import { walkIndex } from "@gateway/engine/page";
import { allowFactorChange, endSessionsProvedBy, type FactorChanger } from "./factor.ts";
import { hashOf } from "./hash-of.ts";
import type { AuthTables } from "./tables.ts";
import { recordUserAudit } from "./user-audit.ts";

/** A WebAuthn credential that a user signs in with instead of a password. */
export type Passkey = NounOf<Row>;

type Row = Selectable<AuthTables["passkeys"]>;

/** More than a person can distinguish by name. */
export const maxPasskeysOfUser = 20;

/** Changes throw `FactorNotProved` unless the session may make them, and must run in a transaction. */
export type Passkeys = ReturnType<typeof createPasskeys>;

type AddInput = FactorChanger & Pick<Passkey, "id" | "name" | "publicKey" | "counter" | "transports">;

type RenameInput = FactorChanger & { id: string; name: string };

export function createPasskeys(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  const { clock } = deps;
  const now = (): Date => new Date(clock.now());
  return {
    /** False when the credential is registered already, or the user has as many as allowed. */
    add: (passkey: AddInput) => transaction(db, (trx) => addPasskey(trx, deps, passkey)),
    find: (id: string) => firstOf(db.selectFrom("passkeys").selectAll().where("id", "=", id), nounOf<Row>),
    listOfUser: async (userId: string) => {
      const rows = await db
        .selectFrom(selectOfUser(db, userId).as("own"))
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(nounOf);
    },
    rename: (passkey: RenameInput) => transaction(db, (trx) => renamePasskey(trx, deps, passkey)),
    remove: ({ id, ...by }: FactorChanger & { id: string }) =>
      transaction(db, async (trx) => {
        const { userId } = by;
        await allowFactorChange(trx, by, "remove_passkey");
        const removed = await trx
          .deleteFrom("passkeys")
          .where("id", "=", id)
          .where("user_id", "=", userId)
          .returning("name")
          .executeTakeFirst();
        if (removed) {
          await endSessionsProvedBy(trx, by, { change: "remove_passkey", now: now() });
          await recordUserAudit(trx, deps, { userId, type: "passkey.removed", before: removed });
        }
        return removed !== undefined;
      }),
    /**
     * False when another use moved the counter meanwhile, because of two uses with the same count one comes from a
     * copy.
     */
    recordUse: async ({ id, counter }: { id: string; counter: number }) => {
      const { numUpdatedRows } = await db
        .updateTable("passkeys")
        .set({ counter, last_used_at: now() })
        .where("id", "=", id)
        // Synchronised authenticators do not count, and stay at 0 (WebAuthn Level 3, 6.1.1).
        .where((where) => where.or([where("counter", "<", counter), where.val(counter === 0)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    /** False when the challenge was used before. Remembered until `expiresAt`. */
    spendChallenge: async (challenge: string, expiresAt: Date) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("spent_challenges")
        .values({ challenge_hash: hashOf(challenge), expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
    /** Deletes challenges that are refused for their age; returns how many. */
    pruneChallenges: async () => {
      const { numDeletedRows } = await db
        .deleteFrom("spent_challenges")
        .where("expires_at", "<=", now())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function addPasskey(
  db: Kysely<AuthTables>,
  deps: AuthServiceDeps,
  { id, userId, sessionId, name, publicKey, counter, transports }: AddInput,
): Promise<boolean> {
  // Locks the user, so that of two passkeys added at once the second counts the first.
  await allowFactorChange(db, { userId, sessionId }, "add_passkey");
  if ((await selectOfUser(db, userId).execute()).length === maxPasskeysOfUser) {
    return false;
  }
  const createdAt = new Date(deps.clock.now());
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("passkeys")
    .values({ id, user_id: userId, name, public_key: publicKey, counter, transports, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) {
    return false;
  }
  await recordUserAudit(db, deps, { userId, type: "passkey.added", after: { name } });
  return true;
}

async function renamePasskey(
  db: Kysely<AuthTables>,
  deps: AuthServiceDeps,
  { id, userId, sessionId, name }: RenameInput,
): Promise<boolean> {
  await allowFactorChange(db, { userId, sessionId }, "rename_passkey");
  const before = await db
    .selectFrom("passkeys")
    .select("name")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!before) {
    return false;
  }
  await db.updateTable("passkeys").set({ name }).where("id", "=", id).execute();
  await recordUserAudit(db, deps, { userId, type: "passkey.renamed", before, after: { name } });
  return true;
}

function selectOfUser(db: Kysely<AuthTables>, userId: string) {
  return walkIndex(db.selectFrom("passkeys").selectAll(), { of: { user_id: userId }, most: maxPasskeysOfUser });
}
