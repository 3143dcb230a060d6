import type { Account } from "@gateway/platform/accounts";
import type { Services } from "@gateway/platform/compose/may-call";
import { createPlatform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { createEventRules } from "@gateway/platform/events";
import { createPasswordHasher } from "@gateway/auth/passwords";
import { createCursorCodec, createTypeIds, type Cipher, type Clock } from "@gateway/kernel";
import { createSimulatedPorts } from "@gateway/simulation";
import { randomBytes } from "node:crypto";
import { moveDemoMoney, type DemoPayment } from "./demo-money.ts";

export type Demo = {
  key: string;
  email: string;
  /** The other owner, with the same password. */
  otherEmail: string;
  password: string;
  /** Registered for the redirect URI of `npm run demo:oauth`. */
  applicationId: string;
  payment: DemoPayment;
};

const email = "demo@gateway.example";
const otherEmail = "owner@gateway.example";
const redirectUri = "http://127.0.0.1:8765/callback";

/** Makes the demo in one transaction, in a database without accounts; else null. */
export async function createDemo(
  database: PlatformDatabase,
  deps: { clock: Clock; cipher: Cipher },
): Promise<Demo | null> {
  const cursors = createCursorCodec(deps.cipher.deriveKey("cursors"));
  const platform = createPlatform(database, {
    ...deps,
    cursors,
    livemode: false,
    createPorts: createSimulatedPorts,
    eventRules: createEventRules({ webhookAllowedHosts: [] }),
  });
  if ((await platform.accounts.listAll()).length > 0) {
    return null;
  }
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await createPasswordHasher().hash(password);
  const accountId = createTypeIds(deps.clock)("acc");
  return platform.inAccount(accountId, async (services) => {
    const account = await services.accounts.create({ id: accountId, email, tier: "growth", requestsPerMinute: null });
    return account && { ...(await furnish(services, account, passwordHash)), email, otherEmail, password };
  });
}

async function furnish(
  services: Services,
  { id: accountId }: Account,
  passwordHash: string,
): Promise<Pick<Demo, "key" | "applicationId" | "payment">> {
  const { accounts } = services;
  const userId = await createUser(services, { email, name: "Demo Person", passwordHash });
  await accounts.people.createOwner({ accountId, userId, email });
  const otherId = await createUser(services, { email: otherEmail, name: "Other Owner", passwordHash });
  const invited = await accounts.people.invite({ accountId, email: otherEmail, role: "owner" });
  await accounts.people.join({ personId: invited.id, userId: otherId });
  const key = await accounts.apiKeys.create({ accountId, name: "Demo", permission: "admin", expiresAt: null });
  const application = await accounts.oauthApplications.create({
    accountId,
    name: "Demo application",
    redirectUris: [redirectUri],
    scopes: ["openid", "email", "profile", "read", "write"],
  });
  const payment = await moveDemoMoney(services, { accountId, apiKeyId: key.id });
  return { key: key.secret, applicationId: application.id, payment };
}

async function createUser(
  { auth }: Services,
  user: { email: string; name: string; passwordHash: string },
): Promise<string> {
  const created = await auth.users.create(user);
  if (!created) {
    throw new Error(`There is no account, but a user with the address ${user.email}.`);
  }
  return created.id;
}
