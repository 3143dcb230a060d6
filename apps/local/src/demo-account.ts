import type { Database } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { createAccounts, createApiKeys } from "@gateway/platform";
import { createCursorCodec } from "@gateway/kernel";
import { randomBytes } from "node:crypto";

/** In a database without accounts, makes one with an admin key and gives the key's secret; null when there are accounts already. */
export async function createDemoAccount(database: Database, clock: Clock): Promise<string | null> {
  const anyAccount = await database.kysely.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
  if (anyAccount) {
    return null;
  }
  const account = await createAccounts(database.kysely, { clock }).create({
    email: "demo@gateway.example",
    tier: "growth",
    requestsPerMinute: null,
  });
  if (!account) {
    return null;
  }
  // No list is asked for here, so its cursors need no key that lasts.
  const apiKeys = createApiKeys(database.kysely, {
    clock,
    cursors: createCursorCodec(randomBytes(32)),
    livemode: false,
  });
  const key = await apiKeys.create({ accountId: account.id, name: "Demo", permission: "admin", expiresAt: null });
  return key.secret;
}
