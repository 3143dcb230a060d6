import type { AccountsDeps } from "./accounts-deps.ts";
import { Problem } from "@gateway/contract";
import type { Kysely } from "kysely";
import { apiKeyOf, selectApiKey, statusOf, type ApiKey, type ApiKeyWithSecret } from "./api-key-row.ts";
import { insertApiKey, latestExpiryMs } from "./issue-api-key.ts";
import { presentApiKey } from "./present-api-key.ts";
import type { AccountsTables } from "./tables.ts";

export async function rollApiKey(
  db: Kysely<AccountsTables>,
  deps: AccountsDeps,
  input: { id: string; accountId: string; overlapSeconds: number },
): Promise<ApiKeyWithSecret | null> {
  const row = await selectApiKey(db, input).forUpdate().executeTakeFirst();
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

function refuseUnlessRollable(key: ApiKey, status: ReturnType<typeof statusOf>): void {
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
