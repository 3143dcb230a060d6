import { nounOf, type NounOf } from "@gateway/engine/noun";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { Kysely, Selectable } from "kysely";
import { apiKeyStatusOf } from "./api-key-status.ts";
import type { AccountsTables } from "./tables.ts";

/** Has no trace of the secret but its hint, `gk_test_…3f9Z`, which distinguishes keys and is useless for a request. */
export type ApiKey = Omit<NounOf<Row>, "secretHash">;

type Row = Selectable<AccountsTables["api_keys"]>;

export type ApiKeyWithSecret = ApiKey & { secret: string };

export function selectApiKey(db: Kysely<AccountsTables>, own: Own) {
  return db.selectFrom("api_keys").selectAll().where(isOwn(own));
}

export function apiKeyOf({ secret_hash: _hash, ...row }: Row): ApiKey {
  return nounOf(row);
}

export function statusOf(row: Pick<Row, "expires_at" | "revoked_at">, now: Date) {
  const times = { revokedAtMs: row.revoked_at?.getTime() ?? null, expiresAtMs: row.expires_at?.getTime() ?? null };
  return apiKeyStatusOf(times, now.getTime());
}
