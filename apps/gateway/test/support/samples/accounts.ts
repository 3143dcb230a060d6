import { maxOauthApplicationsOfAccount, maxPeopleOfAccount } from "@gateway/platform/accounts";
import { keysMadeBy } from "../keys-made-by.ts";
import { freshAddress, spareOf, type Owner, type ServiceSamples } from "./sample-owner.ts";

export const accountsSamples: ServiceSamples = {
  makers: {
    app: ({ platform, accountId }) =>
      platform.transaction(({ accounts }) =>
        accounts.oauthApplications.create({
          accountId,
          name: "Sample",
          redirectUris: ["https://app.example.com/callback"],
          scopes: ["openid", "read"],
        }),
      ),
    aud: createAuditEvent,
    key: (owner) => createSampleKey(owner, "read"),
    per: ({ platform, accountId }) =>
      platform.transaction(({ accounts }) =>
        accounts.people.invite({ accountId, email: freshAddress(), role: "viewer" }),
      ),
  },
  makeRoom: async ({ path }, owner) => {
    if (path.includes("/oauth-applications")) {
      await makeRoomForApplication(owner);
    }
    if (path.includes("/people")) {
      await makeRoomForPerson(owner);
    }
  },
};

export function createSampleKey({ platform, accountId }: Owner, permission: "read" | "write"): Promise<{ id: string }> {
  // Made by an owner: in production a request by an operator's key needs one approval more.
  return keysMadeBy(platform, "per_01kern7ck2exsrtpkeg8qrsn0h").create({
    ...{ accountId, name: "Sample", permission, expiresAt: null },
  });
}

/** Makes the account's owners, or a new owner, old enough to count as owners. */
export async function ageOwner({ platform, accountId, database }: Owner): Promise<void> {
  if (!database) {
    return;
  }
  const email = freshAddress();
  await platform.transaction(async ({ accounts, auth }) => {
    if ((await accounts.people.listOwners(accountId)).length === 0) {
      const user = await auth.users.create({ email, name: "Sample", passwordHash: "none" });
      const { id: personId } = await accounts.people.invite({ accountId, email, role: "owner" });
      await accounts.people.join({ personId, userId: user?.id ?? "" });
    }
  });
  await database.kysely
    .updateTable("people")
    .set({ owner_since: new Date(0) })
    .where("account_id", "=", accountId)
    .where("role", "=", "owner")
    .execute();
}

/** Any change makes one. */
async function createAuditEvent(owner: Owner): Promise<{ id: string }> {
  const { platform, accountId } = owner;
  const key = await createSampleKey(owner, "read");
  const { items } = await platform.audit.list({ accountId, resourceId: key.id, limit: 1 });
  const [event] = items;
  if (!event) {
    throw new Error(`The API key ${key.id} was made without an audit event.`);
  }
  return event;
}

async function makeRoomForApplication({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.oauthApplications.list({ accountId, limit: maxOauthApplicationsOfAccount });
  const spare = spareOf(items, maxOauthApplicationsOfAccount);
  await Promise.all(spare.map((id) => platform.accounts.oauthApplications.delete({ id, accountId })));
}

async function makeRoomForPerson({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.accounts.people.list({ accountId, limit: maxPeopleOfAccount });
  const spare = spareOf(items, maxPeopleOfAccount);
  await Promise.all(spare.map((id) => platform.accounts.people.remove({ id, accountId })));
}
