import type { Account } from "@gateway/platform/accounts";
import { notifyOfAccountEmail } from "@gateway/platform/acts/notify-owners";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { html } from "../views/html.ts";
import { renderAccountName } from "../views/strangers-name.ts";
import { formPage } from "./form-page.ts";
import { findLink, linkIsOver } from "./mailed-link.ts";
import { page, Refusal, type PageAnswer, type PageDeps, type Visit } from "./page.ts";

/**
 * The page behind the link to an account's new address. Its reader need not be a user, and the link does not sign them
 * in.
 */
export async function showConfirmAccountEmail(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { token, email, account } = await findWaitingAccount(deps, visit.query.get("token"));
  return formPage(visit, {
    title: "Use this address for the account?",
    lead: html`<p>
        We write to <strong>${email}</strong> about the account
        <strong>${renderAccountName({ accountName: account.name, accountEmail: account.email })}</strong> from now on.
      </p>
      <p class="hint">You do not know the account? Then close this page: nothing happens.</p>`,
    action: "/account-email/confirm",
    hidden: { token },
    buttons: ["Use this address"],
  });
}

/** Uses up the link, changes the address and notifies the former one in one transaction, or changes nothing. */
export async function submitConfirmAccountEmail(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { token, email, account } = await findWaitingAccount(deps, visit.form.get("token"));
  const origin = auditOriginOf(visit.req, await findPersonId(visit, deps, account.id));
  await deps.platform.transaction(
    async (services) => {
      if (!(await services.auth.mailLinks.use(token, "account_email"))) {
        throw linkIsOver("account_email");
      }
      const confirmed = await services.accounts.confirmEmail({ id: account.id, email });
      if (typeof confirmed === "string") {
        throw confirmed === "taken" ? isTaken(email) : linkIsOver("account_email");
      }
      await notifyOfAccountEmail(services, confirmed.before, {
        change: "confirmed",
        newEmail: email,
        by: "a person who opened the link that was mailed there",
        clientAddress: visit.req.ip ?? null,
      });
    },
    { origin },
  );
  return page({
    title: "The address is confirmed",
    body: html`<p>We write to <strong>${email}</strong> about the account from now on. You can close this page.</p>`,
  });
}

type WaitingAccount = { token: string; email: string; account: Account };

/** The link names the account. The account itself knows whether it still waits for this address. */
async function findWaitingAccount(deps: PageDeps, fromPage: string | null): Promise<WaitingAccount> {
  const { token, link } = await findLink(deps, fromPage, "account_email");
  const account = link.accountId === null ? null : await deps.platform.accounts.get(link.accountId);
  if (!account || account.suspendedAt) {
    throw linkIsOver("account_email");
  }
  return { token, email: link.email, account };
}

/** Null when the visitor is not signed in, or does not belong to the account. */
async function findPersonId({ session }: Visit, { platform }: PageDeps, accountId: string): Promise<string | null> {
  const places = session ? await platform.accounts.people.listOfUser(session.userId) : [];
  return places.find((place) => place.accountId === accountId)?.personId ?? null;
}

/** Only a reader of the address's mails sees this refusal. */
function isTaken(email: string): Refusal {
  return new Refusal(409, {
    title: "Another account has this address",
    message: `${email} is already the address of another account, and each account needs its own. Choose a different address for this account.`,
  });
}
