import { transaction } from "@gateway/database";
import { firstOf, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import { prepareCreatedPages, type CreatedRequest, type Page } from "@gateway/engine/page";
import { findApiKeyHolder, type ApiKeyHolder } from "./api-key-holder.ts";
import { apiKeyOf, selectApiKey, type ApiKey, type ApiKeyDeps, type ApiKeyWithSecret } from "./api-key-row.ts";
import { issueApiKey, createFirstApiKey, findAccountsWithout, type NewApiKey } from "./issue-api-key.ts";
import { recordKeyUses, type LastKeyUse } from "./last-use.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rollApiKey } from "./roll-api-key.ts";
import type { AccountsTables } from "./tables.ts";

export interface ApiKeys {
  /** `expiresAt` must be in the future. Only this result has the secret, because the database stores its hash. */
  create(input: NewApiKey): Promise<ApiKeyWithSecret>;
  /** Creates an admin key for an owner who has joined, if the account never had a key. Null otherwise. */
  createFirst(input: { accountId: string; userId: string }): Promise<ApiKeyWithSecret | null>;
  findAccountsWithout(accountIds: readonly string[]): Promise<string[]>;
  get(input: Own): Promise<ApiKey | null>;
  list(input: CreatedRequest): Promise<Page<ApiKey>>;
  /** People who made the key, or the key that made it, and so on. Each of them has seen one of those secrets. */
  listMakers(input: Own): Promise<string[]>;
  /** The old key works for `overlapSeconds` more, never past its expiry. It must be active and not rolled before. */
  roll(input: { id: string; accountId: string; overlapSeconds: number }): Promise<ApiKeyWithSecret | null>;
  /**
   * Refuses the last admin key of an account without an owner who has joined, unless `evenLast`. Repeating it succeeds.
   */
  revoke(input: { id: string; accountId: string; evenLast?: boolean }): Promise<ApiKey | null>;
  /** Revokes all keys of the account, including the last, and returns how many. The cause has its own audit event. */
  revokeAll(of: { accountId: string }): Promise<number>;
  findHolder(secretHash: Buffer): Promise<ApiKeyHolder | null>;
  /** Notes when and from where keys were last used. Times never go back. */
  recordUse(uses: readonly LastKeyUse[]): Promise<void>;
}

export function createApiKeys(db: Kysely<AccountsTables>, deps: ApiKeyDeps): ApiKeys {
  return {
    create: (input) => transaction(db, (trx) => issueApiKey(trx, deps, input)),
    createFirst: (input) => createFirstApiKey(db, deps, input),
    findAccountsWithout: (accountIds) => findAccountsWithout(db, accountIds),
    get: (input) => firstOf(selectApiKey(db, input), apiKeyOf),
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
    findHolder: (secretHash) => findApiKeyHolder(db, secretHash),
    recordUse: (uses) => recordKeyUses(db, uses),
  };
}

/** A key is made before the keys made with it, so there is no cycle; `union` would end one. */
async function listMakers(db: Kysely<AccountsTables>, { id, accountId }: Own): Promise<string[]> {
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
