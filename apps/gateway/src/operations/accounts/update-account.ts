import { presentAccount, type Account } from "@gateway/platform/accounts";
import { describeCaller, notifyOfAccountEmail } from "@gateway/platform/acts/notify-owners";
import { mailLinkLifeMs } from "@gateway/platform/auth";
import { pageForMail, refuseTooManyMails } from "../mailed-links.ts";
import { noSuchAccount, type OperationCall, type OperationHandler } from "../operation.ts";

/** Links of an account in 24 hours. Changes of the address are rare, but a user may mistype it. */
const mostOfAccount = 10;

/** A new address takes effect when its link, which is mailed to it, is opened. */
export const updateAccount: OperationHandler<"updateAccount"> = async (call) => {
  const { input, principal, deps } = call;
  const { name, email } = input.body;
  const expiresAt = new Date(deps.clock.now() + mailLinkLifeMs.account_email);
  const id = principal.accountId;
  const updated = await deps.accounts.update({
    id,
    name,
    email: email === undefined ? email : { address: email, expiresAt },
  });
  if (!updated) {
    throw noSuchAccount(principal);
  }
  const replaced = updated.emailChange === "none" ? null : updated.before.pendingEmail;
  if (replaced) {
    await deps.auth.mailLinks.revoke({ purpose: "account_email", email: replaced.email, accountId: id });
  }
  if (updated.emailChange === "asked" && email !== undefined) {
    await askToConfirm(call, updated.before, email);
  }
  return { status: 200, data: presentAccount(updated.account, deps) };
};

async function askToConfirm(call: OperationCall<"updateAccount">, before: Account, email: string): Promise<void> {
  const { deps } = call;
  const page = pageForMail(deps.authUrl, { path: "/account-email/confirm", action: "confirm an address" });
  const limited = { mails: "links to confirm an address", accountId: before.id, email, mostOfAccount };
  await refuseTooManyMails(deps.dailyLimiter, limited);
  const token = await deps.auth.mailLinks.create({
    purpose: "account_email",
    email,
    personId: null,
    accountId: before.id,
  });
  await deps.mails.queue(email, { kind: "account_email", url: `${page}?token=${token}`, accountEmail: before.email });
  const told = await describeCaller(deps, call);
  await notifyOfAccountEmail(deps, before, { change: "asked", newEmail: email, ...told });
}
