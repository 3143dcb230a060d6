import type { Schemas } from "@gateway/contract";
import { apiKeyStatusOf } from "./api-key-status.ts";
import type { ApiKey } from "./api-key-row.ts";

/** After its creation. What a roll makes counts from its own. */
const rollDueAfterMs = 90 * 24 * 60 * 60_000;

/** `status` is judged at `nowMs`: an expired key has no event that could have written it. */
export function presentApiKey(key: ApiKey, nowMs: number): Schemas["ApiKey"] {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    hint: key.hint,
    status: apiKeyStatusOf(
      { revokedAtMs: key.revokedAt?.getTime() ?? null, expiresAtMs: key.expiresAt?.getTime() ?? null },
      nowMs,
    ),
    createdAt: key.createdAt.toISOString(),
    rollDueAt: new Date(key.createdAt.getTime() + rollDueAfterMs).toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    lastUsedFrom: key.lastUsedFrom,
    createdBy: key.createdBy,
  };
}
