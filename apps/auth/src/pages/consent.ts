import type { Membership, OauthClient, Permission } from "@gateway/platform/accounts";
import type { User } from "@gateway/platform/auth";
import type { Interaction } from "../provider/interactions.ts";
import { renderForm, type Faults } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { quoteName, renderAccountName, renderStrangersName } from "../views/strangers-name.ts";
import { page, type PageContent } from "./page.ts";
import { suspendedHint } from "./own-account.ts";

export type ConsentView = {
  csrf: string;
  interaction: Interaction;
  client: Pick<OauthClient, "logoUri" | "websiteUrl">;
  user: User;
  /** The contact address of the account that registered the application. Null for our own application. */
  registeredBy: string | null;
  memberships: readonly Membership[];
  faults?: Faults;
};

const meanings: Readonly<Record<string, string>> = {
  openid: "Know that it is you",
  email: "See your e-mail address",
  profile: "See your name",
};

/** Each permission includes the one before, so the page names the highest one. */
const permissionMeanings: Readonly<Record<Permission, string>> = {
  read: "See everything in your account: wallets, events, webhooks",
  write: "See everything in your account and make changes, such as creating wallets and webhooks",
  admin: "Manage your account: everything in it, its API keys, applications and people",
};

export function consentPage(view: ConsentView): PageContent {
  const { application, uid } = view.interaction;
  const open = view.memberships.filter(({ isSuspended }) => !isSuspended);
  const suspended = view.memberships.filter(({ isSuspended }) => isSuspended);
  const isPossible = open.length > 0;
  const isOurs = view.registeredBy === null;
  return page({
    title: isPossible ? titleOf(view) : titleWithoutAccount(suspended),
    body: html`<p>Signed in as <strong>${view.user.email}</strong></p>
      ${isPossible ? !isOurs && renderRequest(view) : suspended.length === 0 && renderNoAccount(application.name)}
      ${suspended.map(renderSuspended)}
      ${renderForm({
        action: `/interaction/${uid}/consent`,
        csrf: view.csrf,
        hidden: { permission: permissionShown(view.interaction) },
        faults: view.faults,
        fields: isPossible ? [renderAccounts(open)] : [],
        buttons: [
          ...(isPossible ? [{ label: isOurs ? "Continue" : "Allow", name: "decision", value: "allow" }] : []),
          {
            label: isPossible ? (isOurs ? "Cancel" : "Deny") : `Back to ${quoteName(application.name)}`,
            ...{ kind: "quiet", name: "decision", value: "deny" },
          },
        ],
      })}
      ${renderForm({
        action: `/interaction/${uid}/switch`,
        csrf: view.csrf,
        buttons: [{ label: "Use another account", kind: "quiet" }],
      })}
      ${isPossible && !isOurs && html`<p class="hint">You can disconnect ${renderStrangersName(application.name)} at any time, on the page of your account.</p>`}`,
  });
}

function titleOf({ registeredBy, interaction }: ConsentView): string {
  return registeredBy === null ? "Which account?" : `Allow ${quoteName(interaction.application.name)}?`;
}

/** The form sends this back, so that the recorded consent is the permission that the page showed. */
export function permissionShown({ permission }: Interaction): string {
  return permission ?? "none";
}

function renderRequest(view: ConsentView): Html {
  const { application, scopes, permission } = view.interaction;
  const known = Object.entries(meanings).filter(([scope]) => scopes.includes(scope));
  const asked = [...known.map(([, meaning]) => meaning), ...(permission ? [permissionMeanings[permission]] : [])];
  return html`${renderApplication(view.client)}
    <p>${renderStrangersName(application.name)}, registered by ${view.registeredBy}, asks to:</p>
    <ul class="scopes">
      ${asked.map((meaning) => html`<li>${meaning}</li>`)}
    </ul>`;
}

/** The application's own logo and website. Registration checked that both addresses are on the public internet. */
function renderApplication({ logoUri, websiteUrl }: ConsentView["client"]): Html {
  return html`${
    logoUri !== null &&
    html`<img class="logo" src="${logoUri}" alt="" width="48" height="48" referrerpolicy="no-referrer" />`
  }
  ${
    websiteUrl !== null &&
    html`<p>
      Its website:
      <a href="${websiteUrl}" target="_blank" rel="noopener noreferrer">${new URL(websiteUrl).host}</a>
    </p>`
  }`;
}

function renderNoAccount(applicationName: string): Html {
  return html`<p>
    ${renderStrangersName(applicationName)} works with an account, and you do not belong to one. Ask an owner to invite
    you, then sign in from the application again.
  </p>`;
}

function titleWithoutAccount(suspended: readonly Membership[]): string {
  return suspended.length === 0 ? "You do not belong to an account" : "Your account is suspended";
}

function renderSuspended({ accountEmail }: Membership): Html {
  return html`<p>The account <strong>${accountEmail}</strong> is suspended. ${suspendedHint}</p>`;
}

function renderAccounts(memberships: readonly Membership[]): Html {
  const [only] = memberships;
  if (memberships.length === 1 && only) {
    return html`<input type="hidden" name="account" value="${only.accountId}" />
      <p>
        In the account <strong>${renderAccountName(only)}</strong>, where your role is ${only.role}. The application can
        never do more than you can.
      </p>`;
  }
  return html`<fieldset class="field" id="account">
    <legend>In which account?</legend>
    ${memberships.map(
      (membership, index) =>
        html`<label class="choice"
          ><input type="radio" name="account" value="${membership.accountId}" ${index === 0 && html` checked`} />
          <span>${renderAccountName(membership)}<span class="hint">Your role: ${membership.role}</span></span></label
        > `,
    )}
  </fieldset>`;
}
