import type { Notice } from "../mails/index.ts";
import type { Services } from "../compose/may-call.ts";
import type { Account, ApiKey, OauthApplication } from "../accounts/index.ts";
import type { AddressBookEntry } from "../custody/index.ts";

type Telling = Pick<Services, "accounts" | "auth" | "mails">;

export type OwnersNotice = Notice extends infer Each
  ? Each extends { accountEmail: string }
    ? Omit<Each, "accountEmail">
    : never
  : never;

/** Notifies every owner who has joined, or else the account's own address, in the transaction of the change. */
export async function notifyOwners(
  { accounts, auth, mails }: Telling,
  accountId: string,
  notice: OwnersNotice,
): Promise<void> {
  const account = await accounts.get(accountId);
  if (!account) {
    throw new Error(`There is no account ${accountId} whose owners could be notified.`);
  }
  const owners = await findOwnerEmails({ accounts, auth }, accountId);
  await mails.notify(owners.length > 0 ? owners : [account.email], { ...notice, accountEmail: account.email });
}

async function findOwnerEmails({ accounts, auth }: Omit<Telling, "mails">, accountId: string): Promise<string[]> {
  return auth.users.findEmails(await accounts.people.listUserIds({ accountId, role: "owner" }));
}

/** Notifies the previous address too, because its reader may not be an owner. */
export async function notifyOfAccountEmail(
  services: Telling,
  before: Pick<Account, "id" | "email">,
  notice: Omit<Extract<OwnersNotice, { kind: "account_email_changed" }>, "kind">,
): Promise<void> {
  const told = { ...notice, kind: "account_email_changed", accountEmail: before.email } as const;
  await services.mails.notify([...(await findOwnerEmails(services, before.id)), before.email], told);
}

type Caller = {
  principal: {
    accountId: string;
    credential: { kind: "apiKey"; apiKeyId: string } | { kind: "accessToken"; personId: string; applicationId: string };
  };
  clientAddress: string | null;
};

/** Notifies owners of every new admin key, including a rolled one, because a thief would keep access by rolling. */
export async function notifyOfAdminKey(
  services: Telling,
  caller: Caller,
  { id: apiKeyId, hint, permission }: ApiKey,
): Promise<void> {
  if (permission === "admin") {
    const told = await describeCaller(services, caller);
    await notifyOwners(services, caller.principal.accountId, { kind: "admin_key_created", apiKeyId, hint, ...told });
  }
}

/** Owners see only the hosts that people are sent to, because the author of an address chooses the rest freely. */
export async function notifyOfRedirectUris(
  services: Telling,
  caller: Caller,
  { application, known }: { application: OauthApplication; known: readonly string[] },
): Promise<void> {
  const added = application.redirectUris.filter((uri) => !known.includes(uri));
  const hosts = [...new Set(added.map((uri) => new URL(uri).host))];
  if (hosts.length > 0) {
    const told = await describeCaller(services, caller);
    const notice = { kind: "redirect_uri_added", applicationId: application.id, hosts, ...told } as const;
    await notifyOwners(services, caller.principal.accountId, notice);
  }
}

/** Notifies owners of each change to the required approvals, because it applies a day later. */
export async function notifyOfPolicy(services: Telling, caller: Caller): Promise<void> {
  const told = await describeCaller(services, caller);
  await notifyOwners(services, caller.principal.accountId, { kind: "transfer_policy_changed", ...told });
}

export async function notifyOfAddressBook(
  services: Telling,
  caller: Caller,
  { entry, change }: { entry: AddressBookEntry; change: "added" | "removed" },
): Promise<void> {
  const told = await describeCaller(services, caller);
  const { id: entryId, address } = entry;
  await notifyOwners(services, caller.principal.accountId, {
    kind: "address_book_changed",
    change,
    entryId,
    address,
    ...told,
  });
}

/** Notifies owners of a person who became an owner or is no longer one, because owners decide what goes out. */
export async function notifyOfOwner(
  services: Telling,
  caller: Caller,
  { email, change }: { email: string; change: "made" | "ended" },
): Promise<void> {
  const told = await describeCaller(services, caller);
  await notifyOwners(services, caller.principal.accountId, {
    kind: "owners_changed",
    change,
    ownerEmail: email,
    ...told,
  });
}

export async function describeCaller(
  { accounts }: Pick<Services, "accounts">,
  { principal: { accountId, credential }, clientAddress }: Caller,
): Promise<{ by: string; clientAddress: string | null }> {
  if (credential.kind === "apiKey") {
    return { by: `the API key ${credential.apiKeyId}`, clientAddress };
  }
  const { personId, applicationId } = credential;
  const person = await accounts.people.get({ id: personId, accountId });
  return { by: `${person?.email ?? personId}, through the application ${applicationId}`, clientAddress };
}
