import { nounOf, type NounOf } from "@gateway/engine/noun";
import { transaction, unlessTaken } from "@gateway/database";
import { firstOf } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import { foldEmail } from "./email-address.ts";
import type { AuthTables } from "./tables.ts";
import { recordUserAudit, type UserAuditDeps } from "./user-audit.ts";

/** `passwordHash`: argon2id in the PHC string format; null: signs in only with a passkey. */
export type User = NounOf<Row>;

type Row = Selectable<AuthTables["users"]>;

type NewUser = { email: string; name: string; passwordHash: string };

export interface Users {
  /** Null when another user has this e-mail address; letter case does not count. */
  create(user: NewUser): Promise<User | null>;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  /** Ids without a user are left out. */
  findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Ids without a user are left out. */
  findEmails(ids: readonly string[]): Promise<string[]>;
  rename(change: { userId: string; name: string }): Promise<void>;
  /** False when another user has this address. The caller has verified that it belongs to this user. */
  changeEmail(change: { userId: string; email: string }): Promise<boolean>;
  /** Replaces the texts and removes every way to sign in, but keeps the id. Must run in a transaction. */
  erase(user: { userId: string; email: string; name: string }): Promise<void>;
  changePassword(change: { userId: string; passwordHash: string }): Promise<void>;
  /** Stores the same password under newer parameters. It does nothing when the password was changed meanwhile. */
  rehashPassword(change: { userId: string; oldHash: string; newHash: string }): Promise<void>;
}

export type UserDeps = Pick<NounDeps, "clock" | "createId"> & UserAuditDeps;

export function createUsers(db: Kysely<AuthTables>, deps: UserDeps): Users {
  return {
    create: (user) => createUser(db, deps, user),
    get: (id) => firstOf(db.selectFrom("users").selectAll().where("id", "=", id), nounOf<Row>),
    findByEmail: (email) =>
      firstOf(db.selectFrom("users").selectAll().where("email_key", "=", foldEmail(email)), nounOf<Row>),
    findNames: async (ids) => {
      const rows = await db
        .selectFrom("users")
        .select(["id", "name"])
        .where("id", "=", sql<string>`any(${[...ids]}::text[])`)
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
    findEmails: async (ids) => {
      const rows = await db
        .selectFrom("users")
        .select("email")
        .where("id", "=", sql<string>`any(${[...ids]}::text[])`)
        .execute();
      return rows.map(({ email }) => email);
    },
    rename: async ({ userId, name }) => {
      await transaction(db, (trx) => changeUser(trx, deps, { userId, set: { name } }));
    },
    changeEmail: ({ userId, email }) =>
      transaction(db, async (trx) => {
        const change = () => changeUser(trx, deps, { userId, set: { email } });
        return (await unlessTaken(trx, change)) ?? false;
      }),
    erase: async ({ userId, email, name }) => {
      await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
      await db.deleteFrom("passkeys").where("user_id", "=", userId).execute();
      await db.deleteFrom("authenticators").where("user_id", "=", userId).execute();
      await db.deleteFrom("mail_links").where("user_id", "=", userId).execute();
      await db.updateTable("users").set({ email, name, password_hash: null }).where("id", "=", userId).execute();
    },
    changePassword: ({ userId, passwordHash }) =>
      transaction(db, async (trx) => {
        await trx
          .updateTable("users")
          .set({ password_hash: passwordHash, password_changed_at: new Date(deps.clock.now()) })
          .where("id", "=", userId)
          .execute();
        await recordUserAudit(trx, deps, { userId, type: "password.changed" });
      }),
    rehashPassword: async ({ userId, oldHash, newHash }) => {
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
  { clock, createId }: UserDeps,
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
  deps: UserAuditDeps,
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
