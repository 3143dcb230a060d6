import type { Notice } from "./mails/index.ts";
import type { Services } from "./platform.ts";

/** A notice but for the account. */
export type OwnersNotice = Notice extends infer Each
  ? Each extends { accountEmail: string }
    ? Omit<Each, "accountEmail">
    : never
  : never;

/**
 * To every owner who has joined; an account that has none is told at its own address. In the transaction of what happened, so there is no
 * change without its mail, and no mail without its change.
 */
export async function notifyOwners(
  { accounts, auth, mails }: Pick<Services, "accounts" | "auth" | "mails">,
  accountId: string,
  notice: OwnersNotice,
): Promise<void> {
  const account = await accounts.get(accountId);
  if (!account) {
    throw new Error(`There is no account ${accountId} whose owners could be told.`);
  }
  const owners = await auth.users.findEmails(await accounts.people.listUserIds({ accountId, role: "owner" }));
  await mails.notify(owners.length > 0 ? owners : [account.email], { ...notice, accountEmail: account.email });
}
