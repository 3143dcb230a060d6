import type { Membership } from "@gateway/platform/accounts";
import { closeAccount } from "@gateway/platform/acts/close-account";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { html } from "../views/html.ts";
import { renderAccountName } from "../views/strangers-name.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { mailedUrl } from "./mailed-link.ts";
import { withNotice } from "./notices.ts";
import { findOwnAccount } from "./own-account.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";

export async function showCloseAccount(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return closePage(visit, await findOwnAccount(visit, deps));
}

/** Closes the account permanently. The name has to be typed because closing cannot be undone. */
export async function submitCloseAccount(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const account = await findOwnAccount(visit, deps);
  if ((visit.form.get("confirmation") ?? "").trim() !== account.accountName) {
    return closePage(visit, account, { faults: { confirmation: "This is not the name of the account." } });
  }
  const { accountId, accountEmail, personId } = account;
  await deps.platform.transaction(
    async (services) => {
      if (await closeAccount(services, accountId)) {
        const url = mailedUrl(deps, "/account");
        await services.mails.queue(accountEmail, { kind: "account_closed", url, accountEmail });
      }
    },
    { origin: auditOriginOf(visit.req, personId) },
  );
  return redirect(withNotice("/account", "account-closed"));
}

function closePage(visit: SignedInVisit, account: Membership, problem?: FormProblem): PageContent {
  const { accountId, accountName } = account;
  const form = {
    title: "Close the account?",
    lead: html`<p>
        The account <strong>${renderAccountName(account)}</strong> will be closed permanently, for all its people:
      </p>
      <ul>
        <li>Its API keys stop working and applications lose access to it, both at once.</li>
        <li>Its own applications stop for all their users.</li>
        <li>Its webhooks are no longer called. Their pending and held deliveries are dropped.</li>
        <li>
          After 30 days, names, addresses and texts that people wrote are erased, and so are users who are in no other
          account. The wallets and their contents are kept without names.
        </li>
      </ul>
      <p><a href="/account/export/${accountId}">Download its data</a> before.</p>`,
    action: `/account/close/${accountId}`,
    fields: [
      {
        ...{ name: "confirmation", label: "Name of the account", autocomplete: "off" },
        hint: `Type ${accountName} to confirm.`,
      },
    ],
    buttons: [
      { label: "Close the account", kind: "danger" as const },
      html`<a class="button quiet" href="/account">Keep it</a>`,
    ],
  };
  return formPage(visit, form, problem);
}
