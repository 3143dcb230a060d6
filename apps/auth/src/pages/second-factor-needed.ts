import type { Membership } from "@gateway/platform/accounts";
import type { Interaction } from "../provider/interactions.ts";
import { html } from "../views/html.ts";
import { quoteName, renderAccountName } from "../views/strangers-name.ts";
import { formPage } from "./form-page.ts";
import { leadingTo } from "./next-page.ts";
import type { PageContent, Visit } from "./page.ts";

export type SecondFactorNeededView = {
  interaction: Interaction;
  account: Membership;
  /** The user has a second factor, and signed in without it. */
  hasOne: boolean;
};

/** Stands in for the consent, when the account needs a second factor and its owner has proved none. */
export function secondFactorNeededPage(
  visit: Visit,
  { interaction, account, hasOne }: SecondFactorNeededView,
): PageContent {
  const { uid, application } = interaction;
  const here = `/interaction/${uid}`;
  return formPage(visit, {
    title: "A second factor is needed",
    lead: html`<p>
        You own <strong>${renderAccountName(account)}</strong>, and that account asks its owners for a second factor.
      </p>
      ${
        hasOne
          ? html`<p>You have one. Sign in once more, with a passkey, or with your password and a code.</p>
              <p><a class="button" href="${leadingTo("/sign-in/again", here)}">Sign in with it</a></p>`
          : html`<p>
                Set up an authenticator app now, or add a passkey on the page of your account and sign in with that.
              </p>
              <p>
                <a class="button" href="${leadingTo("/account/authenticator", here)}">Set up an authenticator app</a>
              </p>`
      }`,
    action: `${here}/consent`,
    buttons: [
      { label: `Back to ${quoteName(application.name)}`, ...{ kind: "quiet", name: "decision", value: "deny" } },
    ],
  });
}
