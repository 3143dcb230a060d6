import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec } from "@gateway/kernel";
import { createTestClock, createTestDatabase, patience, type TestClock } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { createPlatform, type Platform } from "../../src/compose/platform.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import type { EventType } from "@gateway/contract";
import type { EventRules } from "../../src/events/index.ts";

export type EventStore = {
  url: string;
  database: PlatformDatabase;
  platform: Platform;
  clock: TestClock;
  accountId: string;
};

/** A platform on a database of its own, with one account. By default, the rules accept every event and URL. */
export async function createEventStore(
  rules: Partial<EventRules> = {},
  options: { queryTimeoutMs?: number; maxConnections?: number } = {},
): Promise<EventStore> {
  const { url } = await createTestDatabase();
  const database = openDatabase<Schema>({
    url,
    maxConnections: 4,
    applicationName: "test",
    ...patience,
    ...options,
  });
  const clock = createTestClock(Date.now());
  const cipher = createCipher([randomBytes(32)]);
  const platform = createPlatform(database, {
    clock,
    cipher,
    cursors: createCursorCodec(cipher.deriveKey("cursors")),
    livemode: true,
    eventRules: { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null, ...rules },
  });
  const account = await platform.accounts.create({
    email: "owner@example.com",
    tier: "growth",
    requestsPerMinute: null,
  });
  if (!account) {
    throw new Error("An empty database has an account.");
  }
  return { url, database, platform, clock, accountId: account.id };
}

/** An enabled webhook, by its id. */
export async function createWebhook(
  { platform, accountId }: Pick<EventStore, "platform" | "accountId">,
  events: readonly EventType[] = ["wallet.created"],
): Promise<string> {
  const input = { accountId, url: "https://example.com", events, description: null };
  return (await platform.events.webhooks.create(input)).id;
}

/** A user with an address that no other has, by the id. */
export async function createUser({ platform }: EventStore): Promise<string> {
  const email = `${randomBytes(8).toString("hex")}@example.com`;
  const user = await platform.auth.users.create({ email, name: "User", passwordHash: "$argon2id$" });
  return user?.id ?? "";
}
