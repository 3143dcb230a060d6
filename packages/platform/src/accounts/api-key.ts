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
  /** `expiresAt` must lie in the future. The secret is in this answer only: the database has its hash. */
  create(input: NewApiKey): Promise<ApiKeyWithSecret>;
  /** An admin key for an owner who has joined, while the account never had a key; null otherwise. */
  createFirst(input: { accountId: string; userId: string }): Promise<ApiKeyWithSecret | null>;
  findAccountsWithout(accountIds: readonly string[]): Promise<string[]>;
  get(input: Own): Promise<ApiKey | null>;
  list(input: CreatedRequest): Promise<Page<ApiKey>>;
  /** The people who made the key, or the key that made it, and so on: whoever they are, they know a secret of it. */
  listMakers(input: Own): Promise<string[]>;
  /** The old key goes on for `overlapSeconds`, never past its expiry; it must be active and not rolled before. */
  roll(input: { id: string; accountId: string; overlapSeconds: number }): Promise<ApiKeyWithSecret | null>;
  /** Refuses the last admin key of an account without an owner who has joined, unless `evenLast`. Twice succeeds. */
  revoke(input: { id: string; accountId: string; evenLast?: boolean }): Promise<ApiKey | null>;
  /** All that the account has, the last one too; answers how many went. What ends them is recorded itself. */
  revokeAll(of: { accountId: string }): Promise<number>;
  findHolder(secretHash: Buffer): Promise<ApiKeyHolder | null>;
  /** Notes when and from where keys were last used; times never go back. */
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

/** A key is made before what is made with it, so there is no circle; `union` would end one. */
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
