import type { Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { foldEmail } from "../email-address.ts";
import { refuseHiddenCharacters } from "../hidden-characters.ts";
import type { Tier } from "./tier.ts";
import type { AccountsTables } from "./tables.ts";
import type { CreateId } from "../id.ts";

export type Account = {
  id: string;
  /** Its address when it was never given one. */
  name: string;
  email: string;
  tier: Tier;
  /** An Enterprise account's own limit; null means the tier's. */
  requestsPerMinute: number | null;
  /** Its owners let no application in without one. */
  ownersNeedSecondFactor: boolean;
  createdAt: Date;
  /** Null unless an operator has suspended it. */
  suspendedAt: Date | null;
  /** For operators alone. */
  suspensionReason: string | null;
};

export interface AccountStore {
  /** Null when another account has this e-mail address; letter case does not count. */
  create(input: {
    email: string;
    tier: Tier;
    requestsPerMinute: number | null;
    name?: string | null;
  }): Promise<Account | null>;
  get(id: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** Refuses a name with hidden characters. */
  rename(input: { id: string; name: string }): Promise<Account | null>;
  /** For operators: all of them, newest first. */
  listAll(): Promise<Account[]>;
  changeTier(input: { id: string; tier: Tier; requestsPerMinute: number | null }): Promise<Account | null>;
  /** See `suspendAccount`, which holds the webhooks too. Twice keeps the first time, and the last reason. */
  suspend(input: { id: string; reason: string | null }): Promise<Account | null>;
  resume(id: string): Promise<Account | null>;
  /** Holds from the next authorize request on. */
  setOwnersNeedSecondFactor(input: { id: string; isNeeded: boolean }): Promise<void>;
}

export function createAccountStore(
  db: Kysely<AccountsTables>,
  deps: { clock: Clock; createId: CreateId },
): AccountStore {
  return {
    create: async ({ email, tier, requestsPerMinute, name = null }) => {
      const row = await db
        .insertInto("accounts")
        .values({
          id: deps.createId("acc"),
          name,
          email,
          tier,
          requests_per_minute: requestsPerMinute,
          created_at: new Date(deps.clock.now()),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    get: async (id) => {
      const row = await db.selectFrom("accounts").selectAll().where("id", "=", id).executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    findByEmail: async (email) => {
      const row = await db
        .selectFrom("accounts")
        .selectAll()
        .where("email_key", "=", foldEmail(email))
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    rename: async ({ id, name }) => {
      refuseHiddenCharacters(name);
      const row = await db.updateTable("accounts").set({ name }).where("id", "=", id).returningAll().executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    listAll: async () => {
      const rows = await db.selectFrom("accounts").selectAll().orderBy("id", "desc").execute();
      return rows.map(accountOf);
    },
    changeTier: async ({ id, tier, requestsPerMinute }) => {
      const row = await db
        .updateTable("accounts")
        .set({ tier, requests_per_minute: requestsPerMinute })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    suspend: async ({ id, reason }) => {
      const row = await db
        .updateTable("accounts")
        .set({
          suspended_at: sql`coalesce(suspended_at, ${new Date(deps.clock.now())})`,
          suspension_reason: reason,
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    resume: async (id) => {
      const row = await db
        .updateTable("accounts")
        .set({ suspended_at: null, suspension_reason: null })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row ? accountOf(row) : null;
    },
    setOwnersNeedSecondFactor: async ({ id, isNeeded }) => {
      await db.updateTable("accounts").set({ owners_need_second_factor: isNeeded }).where("id", "=", id).execute();
    },
  };
}

function accountOf(row: Selectable<AccountsTables["accounts"]>): Account {
  return {
    id: row.id,
    name: row.name ?? row.email,
    email: row.email,
    tier: row.tier,
    requestsPerMinute: row.requests_per_minute,
    ownersNeedSecondFactor: row.owners_need_second_factor,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    suspensionReason: row.suspension_reason,
  };
}
