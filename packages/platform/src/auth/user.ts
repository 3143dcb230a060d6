import type { Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { foldEmail } from "../email-address.ts";
import type { AuthTables } from "./tables.ts";
import type { CreateId } from "../id.ts";

/** One human being, whatever the number of accounts. */
export type User = {
  id: string;
  /** Proved to be theirs. */
  email: string;
  name: string;
  /** argon2id in the PHC string format; null: signs in with a passkey alone. */
  passwordHash: string | null;
  passwordChangedAt: Date | null;
  createdAt: Date;
};

export interface Users {
  /** Null when another user has this e-mail address; letter case does not count. */
  create(user: { email: string; name: string; passwordHash: string }): Promise<User | null>;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  /** Of those that are. */
  findNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Of those that are. */
  findEmails(ids: readonly string[]): Promise<string[]>;
  rename(change: { userId: string; name: string }): Promise<void>;
  /** False when another user has this address. That it is the user's is for the caller to know. */
  changeEmail(change: { userId: string; email: string }): Promise<boolean>;
  /** Leaves the id alone: nobody signs in with it any more. Must run in a transaction. */
  erase(user: { userId: string; email: string; name: string }): Promise<void>;
  changePassword(change: { userId: string; passwordHash: string }): Promise<void>;
  /** The same password under newer parameters: lost without harm when the password was changed meanwhile. */
  rehashPassword(change: { userId: string; oldHash: string; newHash: string }): Promise<void>;
}

export function createUsers(db: Kysely<AuthTables>, { clock, createId }: { clock: Clock; createId: CreateId }): Users {
  return {
    create: async ({ email, name, passwordHash }) => {
      const now = new Date(clock.now());
      const row = await db
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
        .returningAll()
        .executeTakeFirst();
      return row ? userOf(row) : null;
    },
    get: async (id) => {
      const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? userOf(row) : null;
    },
    findByEmail: async (email) => {
      const row = await db.selectFrom("users").selectAll().where("email_key", "=", foldEmail(email)).executeTakeFirst();
      return row ? userOf(row) : null;
    },
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
      await db.updateTable("users").set({ name }).where("id", "=", userId).execute();
    },
    changeEmail: async ({ userId, email }) => {
      const { numUpdatedRows } = await db
        .updateTable("users")
        .set({ email })
        .where("id", "=", userId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("users as others")
                .select("others.id")
                .where("others.email_key", "=", foldEmail(email))
                .where("others.id", "<>", userId),
            ),
          ),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    erase: async ({ userId, email, name }) => {
      await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
      await db.deleteFrom("passkeys").where("user_id", "=", userId).execute();
      await db.deleteFrom("authenticators").where("user_id", "=", userId).execute();
      await db.deleteFrom("mail_links").where("user_id", "=", userId).execute();
      await db.updateTable("users").set({ email, name, password_hash: null }).where("id", "=", userId).execute();
    },
    changePassword: async ({ userId, passwordHash }) => {
      await db
        .updateTable("users")
        .set({ password_hash: passwordHash, password_changed_at: new Date(clock.now()) })
        .where("id", "=", userId)
        .execute();
    },
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

function userOf(row: Selectable<AuthTables["users"]>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    passwordChangedAt: row.password_changed_at,
    createdAt: row.created_at,
  };
}
