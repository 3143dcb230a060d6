import { type Account, createPlatform, type PlatformDatabase, type Services } from "@gateway/platform";
import { createPasswordHasher } from "@gateway/auth/passwords";
import { createCursorCodec, type Cipher, type Clock } from "@gateway/kernel";
import { randomBytes } from "node:crypto";

/** What a newcomer needs to look around: the account's key, a person to sign in as, and an application to allow. */
export type Demo = {
  /** The secret of an admin key. */
  key: string;
  email: string;
  password: string;
  /** Registered for the redirect URI of `npm run demo:oauth`. */
  applicationId: string;
};

const email = "demo@gateway.example";
const redirectUri = "http://127.0.0.1:8765/callback";

/** In a database without accounts, makes the demo in one transaction and tells its secrets; null when there are accounts already. */
export async function createDemo(
  database: PlatformDatabase,
  deps: { clock: Clock; cipher: Cipher },
): Promise<Demo | null> {
  const cursors = createCursorCodec(deps.cipher.deriveKey("cursors"));
  const platform = createPlatform(database, { ...deps, cursors, livemode: false });
  if ((await platform.accounts.listAll()).length > 0) {
    return null;
  }
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await createPasswordHasher().hash(password);
  return platform.transaction(async (services) => {
    const account = await services.accounts.create({ email, tier: "growth", requestsPerMinute: null });
    return account && { ...(await furnish(services, account, passwordHash)), email, password };
  });
}

async function furnish(
  { accounts, auth }: Services,
  { id: accountId }: Account,
  passwordHash: string,
): Promise<{ key: string; applicationId: string }> {
  const user = await auth.users.create({ email, name: "Demo Person", passwordHash });
  if (!user) {
    throw new Error(`There is no account, but a user with the address ${email}.`);
  }
  await accounts.people.createOwner({ accountId, userId: user.id, email });
  const key = await accounts.apiKeys.create({ accountId, name: "Demo", permission: "admin", expiresAt: null });
  const application = await accounts.oauthApplications.create({
    accountId,
    name: "Demo application",
    redirectUris: [redirectUri],
    scopes: ["openid", "email", "profile", "read", "write"],
  });
  return { key: key.secret, applicationId: application.id };
}
