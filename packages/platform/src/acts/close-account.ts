import { closedAddressOf, erased } from "../accounts/index.ts";
import type { Platform } from "../compose/platform.ts";
import type { Services } from "../compose/may-call.ts";

/** Ends credentials, people, applications and webhooks at once; texts are erased thirty days later. */
export async function closeAccount(
  { accounts, events }: Pick<Services, "accounts" | "events">,
  accountId: string,
): Promise<boolean> {
  if (!(await accounts.closing.close(accountId))) {
    return false;
  }
  await events.webhooks.deleteAll(accountId);
  return true;
}

/** Each account in a transaction of its own. Its users are erased with it unless they are in another account. */
export async function eraseClosedAccounts(platform: Platform): Promise<number> {
  let count = 0;
  for (let accountId = await platform.transaction(eraseOne); accountId !== null;) {
    count += 1;
    // Runs outside the transaction, because there may be millions of rows. Rows that a killed process leaves expire
    // later.
    await platform.requestLog.deleteAll(accountId);
    accountId = await platform.transaction(eraseOne);
  }
  return count;
}

async function eraseOne({
  accounts,
  audit,
  auth,
  custody,
  execution,
  identity,
  ledger,
  mails,
  orchestra,
  portfolio,
}: Services): Promise<string | null> {
  const closed = await accounts.closing.eraseOne();
  if (!closed) {
    return null;
  }
  await ledger.wallets.eraseTexts({ accountId: closed.accountId, name: erased });
  await ledger.accounts.eraseTexts({ accountId: closed.accountId, name: erased });
  await identity.verifications.eraseTexts(closed.accountId);
  await custody.transfers.eraseTexts(closed.accountId);
  await custody.approvals.eraseTexts(closed.accountId);
  await custody.addressBook.eraseTexts({ accountId: closed.accountId, name: erased });
  await orchestra.counterparties.eraseTexts(closed.accountId);
  await orchestra.payments.eraseTexts(closed.accountId);
  await custody.depositAddresses.eraseTexts(closed.accountId);
  await execution.orders.eraseTexts(closed.accountId);
  await portfolio.valuations.eraseTexts(closed.accountId);
  await audit.forgetPersonal({ accountId: closed.accountId });
  for (const userId of closed.userIds) {
    const user = await auth.users.get(userId);
    if (user && (await accounts.people.listOfUser(userId)).length === 0) {
      await mails.forget(user.email);
      await auth.users.erase({ userId, email: closedAddressOf(userId), name: erased });
    }
  }
  return closed.accountId;
}
