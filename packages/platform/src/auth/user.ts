import type { AuthServiceDeps } from "./user-audit.ts";
import { nounOf, type NounOf } from "@gateway/engine/noun";
import { transaction, unlessTaken } from "@gateway/database";
import { firstOf } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import { foldEmail } from "./email-address.ts";
import type { AuthTables } from "./tables.ts";
import { recordUserAudit } from "./user-audit.ts";

/** `passwordHash`: argon2id in the PHC string format; null: signs in only with a passkey. */
export type User = NounOf<Row>;

type Row = Selectable<AuthTables["users"]>;

type NewUser = { email: string; name: string; passwordHash: string };

export type Users = ReturnType<typeof createUsers>;

export function createUsers(db: Kysely<AuthTables>, deps: AuthServiceDeps) {
  return {
    /** Null when another user has this e-mail address; letter case does not count. */
    create: (user: NewUser) => createUser(db, deps, user),
    get: (id: string) => firstOf(db.selectFrom("users").selectAll().where("id", "=", id), nounOf<Row>),
    findByEmail: (email: string) =>
      firstOf(db.selectFrom("users").selectAll().where("email_key", "=", foldEmail(email)), nounOf<Row>),
    /** Ids without a user are left out. */
    findNames: async (ids: readonly string[]) => {
      const rows = await db
        .selectFrom("users")
        .select(["id", "name"])
        .where("id", "=", sql<string>`any(${[...ids]}::text[])`)
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    /** Ids without a user are left out. */
    findEmails: async (ids: readonly string[]) => {
      const rows = await db
        .selectFrom("users")
        .select("email")
        .where("id", "=", sql<string>`any(${[...ids]}::text[])`)
        .execute();
      return rows.map(({ email }) => email);
    },
    rename: async ({ userId, name }: { userId: string; name: string }) => {
      await transaction(db, (trx) => changeUser(trx, deps, { userId, set: { name } }));
    },
    /** False when another user has this address. The caller has verified that it belongs to this user. */
    changeEmail: ({ userId, email }: { userId: string; email: string }) =>
      transaction(db, async (trx) => {
        const change = () => changeUser(trx, deps, { userId, set: { email } });
        return (await unlessTaken(trx, change)) ?? false;
      }),
    /** Replaces the texts and removes every way to sign in, but keeps the id. Must run in a transaction. */
    erase: async ({ userId, email, name }: { userId: string; email: string; name: string }) => {
      await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
      await db.deleteFrom("passkeys").where("user_id", "=", userId).execute();
      await db.deleteFrom("authenticators").where("user_id", "=", userId).execute();
      await db.deleteFrom("mail_links").where("user_id", "=", userId).execute();
      await db.updateTable("users").set({ email, name, password_hash: null }).where("id", "=", userId).execute();
    },
    changePassword: ({ userId, passwordHash }: { userId: string; passwordHash: string }) =>
      transaction(db, async (trx) => {
        await trx
          .updateTable("users")
          .set({ password_hash: passwordHash, password_changed_at: new Date(deps.clock.now()) })
          .where("id", "=", userId)
          .execute();
        await recordUserAudit(trx, deps, { userId, type: "password.changed" });
      }),
    /** Stores the same password under newer parameters. It does nothing when the password was changed meanwhile. */
    rehashPassword: async ({ userId, oldHash, newHash }: { userId: string; oldHash: string; newHash: string }) => {
      await db
        .updateTable("users")
        .set({ password_hash: newHash })
        .where("id", "=", userId)
        .where("password_hash", "=", oldHash)
        .execute();
    },
  };
}

async function createUser(
  db: Kysely<AuthTables>,
  { clock, createId }: AuthServiceDeps,
  { email, name, passwordHash }: NewUser,
): Promise<User | null> {
  const now = new Date(clock.now());
  return firstOf(
    db
      .insertInto("users")
      .values({
        id: createId("usr"),
        email,
        name,
        password_hash: passwordHash,
        password_changed_at: now,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll(),
    nounOf<Row>,
  );
}

async function changeUser(
  db: Kysely<AuthTables>,
  deps: AuthServiceDeps,
  { userId, set }: { userId: string; set: { name: string } | { email: string } },
): Promise<boolean> {
  const columns = ["name", "email"] as const;
  const before = await db
    .selectFrom("users")
    .select(columns)
    .where("id", "=", userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) {
    return false;
  }
  const after = { ...before, ...set };
  await db.updateTable("users").set(set).where("id", "=", userId).execute();
  await recordUserAudit(db, deps, { userId, type: "person.updated", before, after });
  return true;
}
