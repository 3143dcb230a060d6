import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { Schema } from "@gateway/platform/compose/schema";
import { randomBytes } from "node:crypto";
import type { BenchDatabase } from "./installation.ts";

export type ConnectedApplication = {
  applicationId: string;
  /** Cookie of a signed-in browser. */
  cookie: string;
  accountId: string;
};

/** An application of a new account, and a browser that its owner has signed in with. */
export async function createConnectedApplication(
  { url, encryptionKey, livemode }: BenchDatabase,
  { redirectUri }: { redirectUri: string },
): Promise<ConnectedApplication> {
  const database = openDatabase<Schema>({ url, applicationName: "bench", maxConnections: 1 });
  try {
    const cipher = createCipher([encryptionKey]);
    const cursors = createCursorCodec(cipher.deriveKey("cursors"));
    return await connect(createPlatform(database, { clock: systemClock, cipher, cursors, livemode }), redirectUri);
  } finally {
    await database.close();
  }
}

async function connect(platform: Platform, redirectUri: string): Promise<ConnectedApplication> {
  const email = `${randomBytes(8).toString("hex")}@bench.example`;
  const account = await platform.accounts.create({ email, tier: "enterprise", requestsPerMinute: null });
  const user = await platform.auth.users.create({ email, name: "Bench", passwordHash: "none" });
  if (!account || !user) {
    throw new Error(`There is an account of ${email} already.`);
  }
  return platform.transaction(async ({ accounts, auth }) => {
    await accounts.people.createOwner({ accountId: account.id, userId: user.id, email });
    const { id: applicationId } = await accounts.oauthApplications.create({
      accountId: account.id,
      name: "Bench",
      redirectUris: [redirectUri],
      scopes: ["openid", "email", "profile", "read", "write"],
    });
    const { secret } = await auth.sessions.start({
      userId: user.id,
      method: "password",
      userAgent: "bench",
      address: "127.0.0.1",
    });
    return { applicationId, cookie: `__Host-session=${secret}`, accountId: account.id };
  });
}
