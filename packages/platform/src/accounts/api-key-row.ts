import type { Permission } from "@gateway/contract/permissions";
import type { Own } from "@gateway/engine/find-own";
import type { Kysely, Selectable } from "kysely";
import type { Actor, NounDeps } from "../audit/index.ts";
import { apiKeyStatusOf } from "./api-key-status.ts";
import type { AccountsTables, RequestOrigin } from "./tables.ts";

export type ApiKey = {
  id: string;
  name: string;
  permission: Permission;
  /** `gk_test_…3f9Z`: enough to distinguish keys, but useless for a request. */
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

export type ApiKeyDeps = Pick<NounDeps, "clock" | "createId" | "cursors" | "livemode" | "origin" | "recordAudit">;

export function selectApiKey(db: Kysely<AccountsTables>, { id, accountId }: Own) {
  return db.selectFrom("api_keys").selectAll().where("id", "=", id).where("account_id", "=", accountId);
}

export function apiKeyOf(row: Selectable<AccountsTables["api_keys"]>): ApiKey {
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

export function statusOf(row: Pick<Selectable<AccountsTables["api_keys"]>, "expires_at" | "revoked_at">, now: Date) {
  const times = { revokedAtMs: row.revoked_at?.getTime() ?? null, expiresAtMs: row.expires_at?.getTime() ?? null };
  return apiKeyStatusOf(times, now.getTime());
}
