import { auditOriginOf } from "../browser/audit-origin.ts";
import { isWithSecondFactor } from "../provider/second-factor-rule.ts";
import { renderForm } from "../views/form.ts";
import { html } from "../views/html.ts";
import { renderAccountName } from "../views/strangers-name.ts";
import { backToAccount } from "../views/links.ts";
import { withNotice } from "./notices.ts";
import { findOwnAccount } from "./own-account.ts";
import { page, redirect, type PageAnswer, type PageDeps, type SignedInVisit } from "./page.ts";

/**
 * The account's rule for its owners. Only an owner who meets the rule may change it, so that the change cannot shut
 * them out.
 */
export async function showAccountRules(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const account = await findOwnAccount(visit, deps);
  const { accountId, needsSecondFactor } = account;
  const canChange = await isWithSecondFactor(deps.platform, visit.session);
  return page({
    title: "Security of the account",
    body: html`<p>Account <strong>${renderAccountName(account)}</strong></p>
      ${
        canChange
          ? renderForm({
              action: `/account/rules/${accountId}`,
              csrf: visit.csrf,
              fields: [
                html`<label class="choice"
                  ><input type="checkbox" name="second-factor" value="yes" ${needsSecondFactor && html` checked`} />
                  <span
                    >Owners need a second factor<span class="hint"
                      >An owner who signed in without a passkey or a code cannot give applications access to this
                      account.</span
                    ></span
                  ></label
                >`,
              ],
              buttons: ["Save"],
            })
          : html`<p>
                ${needsSecondFactor ? "Owners need a second factor." : "Owners need no second factor."} To change that,
                sign in with one yourself: with a passkey, or with a code of an authenticator app.
              </p>
              <p><a class="button" href="/account/authenticator">Authenticator app</a></p>`
      }
      ${backToAccount}`,
  });
}

export async function submitAccountRules(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { accountId, personId } = await findOwnAccount(visit, deps);
  if (!(await isWithSecondFactor(deps.platform, visit.session))) {
    return redirect(`/account/rules/${accountId}`);
  }
  const isNeeded = visit.form.get("second-factor") === "yes";
  await deps.platform
    .from(auditOriginOf(visit.req, personId))
    .accounts.setOwnersNeedSecondFactor({ id: accountId, isNeeded });
  return redirect(withNotice("/account", "account-rules-saved"));
}
