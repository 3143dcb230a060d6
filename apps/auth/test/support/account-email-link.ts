import type { Account } from "@gateway/platform/accounts";
import { mailLinkLifeMs } from "@gateway/platform/auth";
import type { TestPages } from "./pages.ts";

/** Another address for an account, asked for as the gateway does it; answers the link that is mailed there. */
export async function askForAccountEmail(pages: TestPages, account: Account, email: string): Promise<string> {
  const expiresAt = new Date(pages.clock.now() + mailLinkLifeMs.account_email);
  await pages.auth.platform.transaction(async ({ accounts, auth, mails }) => {
    const updated = await accounts.update({ id: account.id, email: { address: email, expiresAt } });
    const replaced = updated?.before.pendingEmail?.email ?? email;
    await auth.mailLinks.revoke({ email: replaced, purpose: "account_email", accountId: account.id });
    const link = { purpose: "account_email", email, personId: null, accountId: account.id } as const;
    const url = `${pages.auth.origin}/account-email/confirm?token=${await auth.mailLinks.create(link)}`;
    await mails.queue(email, { kind: "account_email", url, accountEmail: account.email });
  });
  return pages.linkTo(email);
}
