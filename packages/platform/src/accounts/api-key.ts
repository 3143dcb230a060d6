import type { AccountsDeps } from "./accounts-deps.ts";
import { transaction } from "@gateway/database";
import { firstOf, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import { prepareCreatedPages } from "@gateway/engine/page";
import { findApiKeyHolder } from "./api-key-holder.ts";
import { apiKeyOf, selectApiKey } from "./api-key-row.ts";
import { issueApiKey, createFirstApiKey, findAccountsWithout, type NewApiKey } from "./issue-api-key.ts";
import { recordKeyUses, type LastKeyUse } from "./last-use.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rollApiKey } from "./roll-api-key.ts";
import type { AccountsTables } from "./tables.ts";

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function createApiKeys(db: Kysely<AccountsTables>, deps: AccountsDeps) {
  return {
    /** `expiresAt` must be in the future. Only this result has the secret, because the database stores its hash. */
    create: (input: NewApiKey) => transaction(db, (trx) => issueApiKey(trx, deps, input)),
    /** Creates an admin key for an owner who has joined, if the account never had a key. Null otherwise. */
    createFirst: (input: { accountId: string; userId: string }) => createFirstApiKey(db, deps, input),
    findAccountsWithout: (accountIds: readonly string[]) => findAccountsWithout(db, accountIds),
    get: (input: Own) => firstOf(selectApiKey(db, input), apiKeyOf),
    list: prepareCreatedPages(db, () => db.selectFrom("api_keys").selectAll(), {
      name: "api-keys",
      cursors: deps.cursors,
      toItem: apiKeyOf,
    }),
    /** People who made the key, or the key that made it, and so on. Each of them has seen one of those secrets. */
    listMakers: (input: Own) => listMakers(db, input),
    /** The old key works for `overlapSeconds` more, never past its expiry. It must be active and not rolled before. */
    roll: (input: { id: string; accountId: string; overlapSeconds: number }) => rollApiKey(db, deps, input),
    /**
     * Refuses the last admin key of an account without an owner who has joined, unless `evenLast`. Repeating it
     * succeeds.
     */
    revoke: (input: { id: string; accountId: string; evenLast?: boolean }) =>
      transaction(db, (trx) => revokeApiKey(trx, deps, input)),
    /** Revokes all keys of the account, including the last, and returns how many. The cause has its own audit event. */
    revokeAll: async ({ accountId }: { accountId: string }) => {
      const { numUpdatedRows } = await db
        .updateTable("api_keys")
        .set({ revoked_at: new Date(deps.clock.now()) })
        .where("account_id", "=", accountId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
    findHolder: (secretHash: Buffer) => findApiKeyHolder(db, secretHash),
    /** Notes when and from where keys were last used. Times never go back. */
    recordUse: (uses: readonly LastKeyUse[]) => recordKeyUses(db, uses),
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
