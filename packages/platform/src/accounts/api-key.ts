import { invalidField, Problem } from "@gateway/contract";
import { transaction } from "@gateway/database";
import type { Clock, CursorCodec } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import type { Actor, AuditOrigin, RecordAudit } from "../audit/index.ts";
import { prepareCreatedPages, type CreatedRequest, type Page } from "../page.ts";
import { apiKeyStatusOf } from "./api-key-status.ts";
import { createApiKeySecret, hashApiKeySecret, hintOfApiKeySecret } from "./api-key-secret.ts";
import { hasOwner } from "./has-owner.ts";
import { recordKeyUses, type LastKeyUse, type RequestOrigin } from "./last-use.ts";
import { lockAccount } from "./lock-account.ts";
import type { Permission } from "@gateway/contract/permissions";
import { presentApiKey } from "./present-api-key.ts";
import type { Tier } from "./tier.ts";
import type { AccountsTables } from "./tables.ts";
import type { CreateId } from "../id.ts";

export type ApiKey = {
  id: string;
  name: string;
  permission: Permission;
  /** `gk_test_…3f9Z`: enough to tell keys apart, useless to call with. */
  hint: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The key that this one was rolled to. */
  replacedBy: string | null;
  lastUsedAt: Date | null;
  lastUsedFrom: RequestOrigin | null;
  createdBy: Actor | null;
};

export type ApiKeyWithSecret = ApiKey & { secret: string };

/** What the gateway must know of a key to let a request in; expiry is judged at each request, not here. */
export type ApiKeyHolder = {
  apiKeyId: string;
  accountId: string;
  permission: Permission;
  /** By an operator, and the whole account: then nobody gets in. */
  isSuspended: boolean;
  tier: Tier;
  requestsPerMinute: number | null;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
};

export interface ApiKeys {
  /** `expiresAt` must lie in the future. The secret is in this answer only: the database has its hash. */
  create(input: {
    accountId: string;
    name: string;
    permission: Permission;
    expiresAt: Date | null;
  }): Promise<ApiKeyWithSecret>;
  /**
   * For an owner who has joined, while the account never had a key: null otherwise. It has the permission `admin`, for the others are
   * made with it. Must run in a transaction.
   */
  createFirst(input: { accountId: string; userId: string }): Promise<ApiKeyWithSecret | null>;
  /** Of these accounts those that never had a key. */
  findAccountsWithout(accountIds: readonly string[]): Promise<string[]>;
  get(input: { id: string; accountId: string }): Promise<ApiKey | null>;
  list(input: CreatedRequest): Promise<Page<ApiKey>>;
  /** The people who made the key, or the key that made it, and so on: whoever they are, they know a secret of it. */
  listMakers(input: { id: string; accountId: string }): Promise<string[]>;
  /**
   * Makes a successor with the same name, permission and length of life; the old key goes on for `overlapSeconds` and never
   * past its own expiry. Only an active key that was not rolled before can be rolled. Must run in a transaction.
   */
  roll(input: { id: string; accountId: string; overlapSeconds: number }): Promise<ApiKeyWithSecret | null>;
  /**
   * Revoking twice succeeds and keeps the first time. Refuses the last admin key of an account without an owner who has joined, for
   * then nobody could make another, unless `evenLast`. Must run in a transaction.
   */
  revoke(input: { id: string; accountId: string; evenLast?: boolean }): Promise<ApiKey | null>;
  /** All that the account has, the last one too; answers how many went. What ends them is recorded itself. */
  revokeAll(of: { accountId: string }): Promise<number>;
  findHolder(secretHash: Buffer): Promise<ApiKeyHolder | null>;
  /** Notes when and from where keys were last used; times never go back. */
  recordUse(uses: readonly LastKeyUse[]): Promise<void>;
}

export type ApiKeyDeps = {
  clock: Clock;
  createId: CreateId;
  cursors: CursorCodec;
  livemode: boolean;
  origin: AuditOrigin;
  recordAudit: RecordAudit;
};

export function createApiKeys(db: Kysely<AccountsTables>, deps: ApiKeyDeps): ApiKeys {
  return {
    create: (input) => transaction(db, (trx) => createApiKey(trx, deps, input)),
    createFirst: (input) => createFirstApiKey(db, deps, input),
    findAccountsWithout: (accountIds) => findAccountsWithout(db, accountIds),
    get: async (input) => {
      const row = await selectOwn(db, input).executeTakeFirst();
      return row ? apiKeyOf(row) : null;
    },
    list: prepareCreatedPages(db, () => db.selectFrom("api_keys").selectAll(), {
      name: "api-keys",
      cursors: deps.cursors,
      toItem: apiKeyOf,
    }),
    listMakers: (input) => listMakers(db, input),
    roll: (input) => rollApiKey(db, deps, input),
    revoke: (input) => transaction(db, (trx) => revokeApiKey(trx, deps, input)),
    revokeAll: async ({ accountId }) => {
      const { numUpdatedRows } = await db
        .updateTable("api_keys")
        .set({ revoked_at: new Date(deps.clock.now()) })
        .where("account_id", "=", accountId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    findHolder: (secretHash) => findHolder(db, secretHash),
    recordUse: (uses) => recordKeyUses(db, uses),
  };
}

/** Later years have five digits, which RFC 3339 has no place for. */
const latestExpiryMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

async function createApiKey(
  db: Kysely<AccountsTables>,
  deps: ApiKeyDeps,
  input: Parameters<ApiKeys["create"]>[0],
): Promise<ApiKeyWithSecret> {
  const key = await insertApiKey(db, deps, input);
  const after = presentApiKey(key, deps.clock.now());
  await deps.recordAudit(db, { accountId: input.accountId, type: "api_key.created", resourceId: key.id, after });
  return key;
}

async function revokeApiKey(
  db: Kysely<AccountsTables>,
  deps: ApiKeyDeps,
  { evenLast = false, ...own }: Parameters<ApiKeys["revoke"]>[0],
): Promise<ApiKey | null> {
  const nowMs = deps.clock.now();
  if (!evenLast) {
    // Before the key: who holds the account may be about to end all of its keys.
    await refuseLastAdminKey(db, { ...own, now: new Date(nowMs) });
  }
  const row = await selectOwn(db, own).forUpdate().executeTakeFirst();
  if (!row) {
    return null;
  }
  const old = apiKeyOf(row);
  const key = { ...old, revokedAt: old.revokedAt ?? new Date(nowMs) };
  await db.updateTable("api_keys").set({ revoked_at: key.revokedAt }).where("id", "=", old.id).execute();
  await deps.recordAudit(db, {
    accountId: own.accountId,
    type: "api_key.revoked",
    resourceId: old.id,
    before: presentApiKey(old, nowMs),
    after: presentApiKey(key, nowMs),
  });
  return key;
}

async function insertApiKey(
  db: Kysely<AccountsTables>,
  deps: ApiKeyDeps,
  input: { accountId: string; name: string; permission: Permission; expiresAt: Date | null },
): Promise<ApiKeyWithSecret> {
  const nowMs = deps.clock.now();
  if (input.expiresAt && !(input.expiresAt.getTime() > nowMs && input.expiresAt.getTime() <= latestExpiryMs)) {
    throw invalidField("expiresAt", "must be a time in the future, before the year 10000 (UTC)");
  }
  const secret = createApiKeySecret(deps.livemode);
  const row = await db
    .insertInto("api_keys")
    .values({
      id: deps.createId("key"),
      account_id: input.accountId,
      name: input.name,
      permission: input.permission,
      secret_hash: hashApiKeySecret(secret),
      hint: hintOfApiKeySecret(secret),
      created_at: new Date(nowMs),
      expires_at: input.expiresAt,
      revoked_at: null,
      replaced_by: null,
      last_used_at: null,
      created_by: JSON.stringify(deps.origin.actor),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...apiKeyOf(row), secret };
}

/** Holds the account: of two who would make it, one finds it made. */
async function createFirstApiKey(
  db: Kysely<AccountsTables>,
  deps: ApiKeyDeps,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<ApiKeyWithSecret | null> {
  await lockAccount(db, accountId);
  const owner = await db
    .selectFrom("people")
    .select("id")
    .where("account_id", "=", accountId)
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .executeTakeFirst();
  const isFirst = (await findAccountsWithout(db, [accountId])).length > 0;
  return owner && isFirst
    ? createApiKey(db, deps, { accountId, name: "First key", permission: "admin", expiresAt: null })
    : null;
}

async function findAccountsWithout(db: Kysely<AccountsTables>, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...accountIds]}::text[]) as asked (id) cross join lateral (
      select count(*) as count from (select from api_keys where account_id between asked.id and asked.id limit 1) one
    ) keys
    where count = 0
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function rollApiKey(
  db: Kysely<AccountsTables>,
  deps: ApiKeyDeps,
  input: { id: string; accountId: string; overlapSeconds: number },
): Promise<ApiKeyWithSecret | null> {
  const row = await selectOwn(db, input).forUpdate().executeTakeFirst();
  if (!row) {
    return null;
  }
  const nowMs = deps.clock.now();
  const old = apiKeyOf(row);
  refuseUnlessRollable(old, statusOf(row, new Date(nowMs)));
  const successor = await insertApiKey(db, deps, {
    accountId: input.accountId,
    name: old.name,
    permission: old.permission,
    expiresAt:
      old.expiresAt && new Date(Math.min(nowMs + old.expiresAt.getTime() - old.createdAt.getTime(), latestExpiryMs)),
  });
  const overlapEndMs = nowMs + input.overlapSeconds * 1000;
  const expiresAt = new Date(Math.min(overlapEndMs, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
  await db
    .updateTable("api_keys")
    .set({ expires_at: expiresAt, replaced_by: successor.id })
    .where("id", "=", old.id)
    .execute();
  await deps.recordAudit(db, {
    accountId: input.accountId,
    type: "api_key.rolled",
    resourceId: old.id,
    before: presentApiKey(old, nowMs),
    after: presentApiKey({ ...old, expiresAt, replacedBy: successor.id }, nowMs),
  });
  return successor;
}

function refuseUnlessRollable(key: ApiKey, status: ReturnType<typeof apiKeyStatusOf>): void {
  if (key.replacedBy) {
    throw new Problem(
      "API_KEY_NOT_ACTIVE",
      `The API key ${key.id} was already rolled; its successor is ${key.replacedBy}.`,
    );
  }
  if (status !== "active") {
    throw new Problem("API_KEY_NOT_ACTIVE", `The API key ${key.id} is ${status}; create a new one instead.`);
  }
}

/** A key that ends anyway, because it was rolled, is none that the account could go on with. */
async function refuseLastAdminKey(
  db: Kysely<AccountsTables>,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<void> {
  const row = await selectOwn(db, { id, accountId }).executeTakeFirst();
  if (!row || row.permission !== "admin" || statusOf(row, now) !== "active") {
    return;
  }
  await lockAccount(db, accountId);
  // The index `lasting_admin_keys` backwards: first what does not expire. It is of admin keys, so a parameter would be none for a plan.
  const lasting = await db
    .selectFrom("api_keys")
    .select(["id", "expires_at", "revoked_at"])
    .where("account_id", "=", accountId)
    .where("permission", "=", sql.lit("admin" as const))
    .where("revoked_at", "is", null)
    .where("replaced_by", "is", null)
    .orderBy("account_id", "desc")
    .orderBy("expires_at", "desc")
    .limit(2)
    .execute();
  const isAnotherLasting = lasting.some((key) => key.id !== id && statusOf(key, now) === "active");
  if (!isAnotherLasting && !(await hasOwner(db, accountId))) {
    throw new Problem(
      "LAST_ADMIN_KEY",
      `The API key ${id} is the last admin key of an account without an owner: without it nobody could manage the account. Create another admin key first, or roll this one.`,
    );
  }
}

/**
 * A key is made before what is made with it, so there is no circle; `union` would end one. The account of the next key is said as its index
 * does not know it, which leads to all of the account's.
 */
async function listMakers(
  db: Kysely<AccountsTables>,
  { id, accountId }: { id: string; accountId: string },
): Promise<string[]> {
  const { rows } = await sql<{ maker: string }>`
    with recursive made (maker, type) as (
      select created_by ->> 'id', created_by ->> 'type' from api_keys where id = ${id} and account_id = ${accountId}
      union
      select key.created_by ->> 'id', key.created_by ->> 'type'
      from made join api_keys key on key.id = made.maker and key.account_id || '' = ${accountId}
      where made.type = 'apiKey'
    )
    select maker from made where type = 'person' and maker is not null
  `.execute(db);
  return rows.map(({ maker }) => maker);
}

function statusOf(row: Pick<Selectable<AccountsTables["api_keys"]>, "expires_at" | "revoked_at">, now: Date) {
  const times = { revokedAtMs: row.revoked_at?.getTime() ?? null, expiresAtMs: row.expires_at?.getTime() ?? null };
  return apiKeyStatusOf(times, now.getTime());
}

async function findHolder(db: Kysely<AccountsTables>, secretHash: Buffer): Promise<ApiKeyHolder | null> {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .select([
      "api_keys.id",
      "api_keys.account_id",
      "api_keys.permission",
      "api_keys.expires_at",
      "api_keys.revoked_at",
      "accounts.suspended_at",
      "accounts.tier",
      "accounts.requests_per_minute",
    ])
    .where("api_keys.secret_hash", "=", secretHash)
    // One that was on its way when the account was closed.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("closed_accounts")
            .select("closed_accounts.account_id")
            .whereRef("closed_accounts.account_id", "=", "api_keys.account_id"),
        ),
      ),
    )
    .executeTakeFirst();
  return row
    ? {
        apiKeyId: row.id,
        accountId: row.account_id,
        permission: row.permission,
        isSuspended: row.suspended_at !== null,
        tier: row.tier,
        requestsPerMinute: row.requests_per_minute,
        expiresAtMs: row.expires_at?.getTime() ?? null,
        revokedAtMs: row.revoked_at?.getTime() ?? null,
      }
    : null;
}

function selectOwn(db: Kysely<AccountsTables>, { id, accountId }: { id: string; accountId: string }) {
  return db.selectFrom("api_keys").selectAll().where("id", "=", id).where("account_id", "=", accountId);
}

function apiKeyOf(row: Selectable<AccountsTables["api_keys"]>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    permission: row.permission,
    hint: row.hint,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    replacedBy: row.replaced_by,
    lastUsedAt: row.last_used_at,
    lastUsedFrom: row.last_used_from,
    createdBy: row.created_by,
  };
}
