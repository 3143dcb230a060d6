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

/** To every owner who has joined, or to the account's own address, in the transaction of what happened. */
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

/** The address of before is told too, because who reads it may be nobody's owner. */
export async function notifyOfAccountEmail(
  services: Telling,
  before: Pick<Account, "id" | "email">,
  notice: Omit<Extract<OwnersNotice, { kind: "account_email_changed" }>, "kind">,
): Promise<void> {
  const told = { ...notice, kind: "account_email_changed", accountEmail: before.email } as const;
  await services.mails.notify([...(await findOwnerEmails(services, before.id)), before.email], told);
}

/** Who called the API, and from where. */
type Caller = {
  principal: {
    accountId: string;
    credential: { kind: "apiKey"; apiKeyId: string } | { kind: "accessToken"; personId: string; applicationId: string };
  };
  clientAddress: string | null;
};

/** Owners learn of every new key that can do everything, also of a rolled one: a thief would keep it so. */
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

/** Owners read the hosts that people are sent to; the rest of an address is whatever its author wanted to say. */
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

/** Owners learn of each change of who must approve what, for it applies a day later. */
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

/** Who became an owner, or is one no more. Owners decide what goes out. */
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
