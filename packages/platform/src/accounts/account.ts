import type { AccountsDeps } from "./accounts-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { transaction, unlessTaken } from "@gateway/database";
import { firstOf } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable, type UpdateObject } from "kysely";
import type { AuditEventType } from "../audit/index.ts";
import { foldEmail } from "../auth/index.ts";
import { refuseHiddenCharacters } from "@gateway/engine/hidden-characters";
import { decideEmailChange, livingEmail, type EmailChange, type PendingEmail } from "./account-email.ts";
import type { Tier } from "./tier.ts";
import type { AccountsTables } from "./tables.ts";

/** `suspensionReason` is for operators only. */
export type Account = ReturnType<typeof accountOf>;

type Row = Selectable<AccountsTables["accounts"]>;

/** `before`: the account before the update. `emailChange`: the outcome of the requested address. */
export type AccountUpdate = { account: Account; before: Account; emailChange: EmailChange };
export type ConfirmedEmail = Omit<AccountUpdate, "emailChange">;

type CreateInput = {
  id?: string;
  email: string;
  tier: Tier;
  requestsPerMinute: number | null;
  name?: string | null;
};

type UpdateInput = {
  id: string;
  name?: string | undefined;
  email?: { address: string; expiresAt: Date } | undefined;
};

export function createAccountStore(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /**
     * Null when another account has this e-mail address. `id`: given when the transaction already runs for the new
     * account.
     */
    create: (input: CreateInput) => transaction(db, (trx) => createAccount(trx, deps, input)),
    get: (id: string) => findAccount(db, id),
    findByEmail: (email: string) =>
      firstOf(db.selectFrom("accounts").selectAll().where("email_key", "=", foldEmail(email)), accountOf),
    /** Refuses a name with hidden characters. */
    rename: async ({ id, name }: { id: string; name: string }) => {
      refuseHiddenCharacters(name);
      return transaction(db, (trx) => changeAccount(trx, deps, { id, type: "account.updated", set: { name } }));
    },
    /**
     * A new address waits until `expiresAt` for `confirmEmail`. The result does not reveal whether another account has
     * it.
     */
    update: (input: UpdateInput) => transaction(db, (trx) => updateAccount(trx, deps, input)),
    /**
     * `over`: the address is no longer pending, or the account is suspended. `taken`: another account has the address.
     */
    confirmEmail: (input: { id: string; email: string }) => transaction(db, (trx) => confirmEmail(trx, deps, input)),
    listAll: async () => {
      const rows = await db.selectFrom("accounts").selectAll().orderBy("id", "desc").execute();
      return rows.map(accountOf);
    },
    changeTier: ({ id, tier, requestsPerMinute }: { id: string; tier: Tier; requestsPerMinute: number | null }) =>
      transaction(db, (trx) =>
        changeAccount(trx, deps, {
          id,
          type: "account.tier_changed",
          set: { tier, requests_per_minute: requestsPerMinute },
        }),
      ),
    /** See `suspendAccount`, which also holds the webhooks. A repetition keeps the first time and the last reason. */
    suspend: ({ id, reason }: { id: string; reason: string | null }) =>
      transaction(db, (trx) =>
        changeAccount(trx, deps, {
          id,
          type: "account.suspended",
          set: {
            suspended_at: sql`coalesce(suspended_at, ${new Date(deps.clock.now())})`,
            suspension_reason: reason,
          },
        }),
      ),
    resume: (id: string) =>
      transaction(db, (trx) =>
        changeAccount(trx, deps, {
          id,
          type: "account.resumed",
          set: { suspended_at: null, suspension_reason: null },
        }),
      ),
    /** Takes effect at the next authorize request. */
    setOwnersNeedSecondFactor: async ({ id, isNeeded }: { id: string; isNeeded: boolean }) => {
      await transaction(db, (trx) =>
        changeAccount(trx, deps, { id, type: "account.updated", set: { owners_need_second_factor: isNeeded } }),
      );
    },
  };
}

export async function findAccount(db: Kysely<AccountsTables>, id: string): Promise<Account | null> {
  return firstOf(db.selectFrom("accounts").selectAll().where("id", "=", id), accountOf);
}

async function createAccount(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { id = deps.createId("acc"), email, tier, requestsPerMinute, name = null }: CreateInput,
): Promise<Account | null> {
  const row = await db
    .insertInto("accounts")
    .values({
      id,
      name,
      email,
      tier,
      requests_per_minute: requestsPerMinute,
      created_at: new Date(deps.clock.now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    return null;
  }
  const account = accountOf(row);
  const after = auditedAccount(account);
  await deps.recordAudit(db, { accountId: row.id, type: "account.created", resourceId: row.id, after });
  return account;
}

async function updateAccount(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { id, name, email }: UpdateInput,
): Promise<AccountUpdate | null> {
  refuseHiddenCharacters(name ?? "");
  const before = await holdAccount(db, id);
  if (!before) {
    return null;
  }
  const emailChange = email
    ? decideEmailChange(before, { email: email.address, nowMs: deps.clock.now() })
    : ("none" as const);
  const set = {
    ...(name !== undefined && { name }),
    ...(emailChange === "asked" && { pending_email: email?.address, pending_email_expires_at: email?.expiresAt }),
    ...(emailChange === "withdrawn" && nothingPending),
  };
  const isChanged = Object.keys(set).length > 0;
  const account = isChanged ? await changeAccount(db, deps, { id, type: "account.updated", set }) : before;
  return account && { account, before, emailChange };
}

async function confirmEmail(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  { id, email }: { id: string; email: string },
): Promise<ConfirmedEmail | "over" | "taken"> {
  const before = await holdAccount(db, id);
  const pending = before && livingEmail(before.pendingEmail, deps.clock.now());
  if (!before || before.suspendedAt || pending === null || foldEmail(pending) !== foldEmail(email)) {
    return "over";
  }
  const set = { email: pending, ...nothingPending };
  const account = await unlessTaken(db, () => changeAccount(db, deps, { id, type: "account.updated", set }));
  return account ? { account, before } : "taken";
}

const nothingPending = { pending_email: null, pending_email_expires_at: null };

/** Locks the row until the transaction ends. */
async function holdAccount(db: Kysely<AccountsTables>, id: string): Promise<Account | null> {
  return firstOf(db.selectFrom("accounts").selectAll().where("id", "=", id).forNoKeyUpdate(), accountOf);
}

async function changeAccount(
  db: Kysely<AccountsTables>,
  { recordAudit }: Pick<AccountsDeps, "recordAudit">,
  { id, type, set }: { id: string; type: AuditEventType; set: UpdateObject<AccountsTables, "accounts"> },
): Promise<Account | null> {
  const before = await holdAccount(db, id);
  if (!before) {
    return null;
  }
  const row = await db.updateTable("accounts").set(set).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
  const after = accountOf(row);
  await recordAudit(db, {
    accountId: id,
    type,
    resourceId: id,
    before: auditedAccount(before),
    after: auditedAccount(after),
  });
  return after;
}

/** Accounts read their own audit log, but the reason for a suspension is for operators only. */
function auditedAccount(account: Account): object {
  const { suspendedAt, suspensionReason: _, pendingEmail, ...shown } = account;
  return { ...shown, pendingEmail: pendingEmail?.email ?? null, isSuspended: suspendedAt !== null };
}

function accountOf({ email_key: _key, pending_email: email, pending_email_expires_at: expiresAt, ...row }: Row) {
  const pendingEmail: PendingEmail | null = email !== null && expiresAt !== null ? { email, expiresAt } : null;
  return { ...nounOf(row), name: row.name ?? row.email, pendingEmail };
}
