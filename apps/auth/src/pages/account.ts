import type { ConnectedApplication, Membership } from "@gateway/platform/accounts";
import type { Authenticator, Passkey, Session, User } from "@gateway/platform/auth";
import { describeUserAgent } from "../views/describe-user-agent.ts";
import { renderButton, renderForm } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { quoteName, renderAccountName, renderStrangersName } from "../views/strangers-name.ts";
import { renderDay, renderSince } from "../views/time.ts";
import { firstKeyPath } from "./first-key.ts";
import { noticeOf, withNotice } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";
import { suspendedHint } from "./suspended-hint.ts";

type Overview = {
  /** Null where there is none. */
  consoleUrl: string | null;
  visit: SignedInVisit;
  nowMs: number;
  user: User;
  memberships: readonly Membership[];
  /** Ids of accounts that the user owns. */
  withoutKeys: readonly string[];
  sessions: readonly Session[];
  passkeys: readonly Passkey[];
  authenticator: Authenticator | null;
  /** Null where browsers refuse them. */
  canAddPasskeys: boolean;
  applications: readonly ConnectedApplication[];
};

/** Everything that acts for the user, and how to end it. */
export async function showAccount(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { platform, clock, ceremonies } = deps;
  const user = await userOf(visit, deps);
  const memberships = await platform.accounts.people.listOfUser(user.id);
  const owned = memberships.filter(({ role }) => role === "owner").map(({ accountId }) => accountId);
  const overview: Overview = {
    consoleUrl: deps.consoleUrl,
    visit,
    nowMs: clock.now(),
    user,
    memberships,
    withoutKeys: await platform.accounts.apiKeys.findAccountsWithout(owned),
    sessions: await platform.auth.sessions.listOfUser(user.id),
    passkeys: await platform.auth.passkeys.listOfUser(user.id),
    authenticator: await platform.auth.authenticators.find(user.id),
    canAddPasskeys: ceremonies.isAvailable,
    applications: await platform.accounts.grants.listOfUser(user.id),
  };
  return page({
    title: "Your account",
    width: "wide",
    notice: noticeOf(visit),
    body: html`${renderWho(overview)}${renderYou(overview)}${renderMemberships(overview)}${renderSecurity(overview)}${renderSessions(overview)}${renderApplications(overview)}`,
  });
}

export async function submitEndSession({ session, form }: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  await platform.auth.sessions.end({ sessionId: form.get("session") ?? "", userId: session.userId });
  return redirect(withNotice("/account", "device-signed-out"));
}

export async function submitEndOtherSessions({ session }: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  await platform.auth.sessions.endAll({ userId: session.userId, exceptId: session.sessionId });
  return redirect(withNotice("/account", "others-signed-out"));
}

export async function submitDisconnect({ session, form }: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  await platform.accounts.grants.revokeOfUser({ grantId: form.get("grant") ?? "", userId: session.userId });
  return redirect(withNotice("/account", "application-disconnected"));
}

function renderWho({ user, consoleUrl }: Overview): Html {
  return html`<div class="who">
    <div>
      <strong>${user.name}</strong>
      <p class="hint">${user.email}</p>
    </div>
    ${consoleUrl !== null && html`<a class="button quiet" href="${consoleUrl}/">To the console</a> `}<a
      class="button quiet"
      href="/sign-out"
      >Sign out</a
    >
  </div> `;
}

function renderYou({ user }: Overview): Html {
  return renderSection({
    title: "You",
    empty: "",
    items: [
      html`<div>
          <strong>Name</strong>
          <p class="hint">${user.name}</p>
        </div>
        <a class="button quiet" href="/account/name">Change name</a>`,
      html`<div>
          <strong>E-mail address</strong>
          <p class="hint">${user.email}</p>
        </div>
        <a class="button quiet" href="/account/email">Change e-mail address</a>`,
    ],
  });
}

function renderMemberships({ memberships, withoutKeys }: Overview): Html {
  return renderSection({
    title: "Accounts",
    empty: "You do not belong to an account. Ask an owner to invite you.",
    items: memberships.map(
      (membership) =>
        html`<div>
            <strong>${renderAccountName(membership)}</strong
            >${membership.isSuspended && html` <span class="badge">Suspended</span>`}
            <p class="hint">Your role: ${membership.role}${membership.isSuspended && html`. ${suspendedHint}`}</p>
          </div>
          ${membership.role === "owner" && renderOwned(membership, { hasNoKey: withoutKeys.includes(membership.accountId) })}`,
    ),
  });
}

/** What only owners may do. */
function renderOwned({ accountId, accountName }: Membership, { hasNoKey }: { hasNoKey: boolean }): Html {
  const ways = [
    ...(hasNoKey ? [{ href: firstKeyPath(accountId), label: "Create the first API key" }] : []),
    { href: `/account/rules/${accountId}`, label: "Security" },
    { href: `/account/export/${accountId}`, label: "Download its data" },
    { href: `/account/close/${accountId}`, label: "Close it" },
  ];
  return html`${ways.map(({ href, label }) => html`<a class="button quiet" href="${href}">${label}<span class="unseen">: ${accountName}</span></a> `)}`;
}

function renderSecurity({ user, passkeys, authenticator, canAddPasskeys, nowMs }: Overview): Html {
  return renderSection({
    title: "Password, authenticator app and passkeys",
    empty: "",
    items: [
      html`<div>
          <strong>Password</strong
          >${user.passwordChangedAt && html`<p class="hint">Set ${renderDay(user.passwordChangedAt)}</p>`}
        </div>
        <a class="button quiet" href="/account/password">Change password</a>`,
      html`<div>
          <strong>Authenticator app</strong>
          <p class="hint">
            ${authenticator ? html`Set up ${renderDay(authenticator.createdAt)}` : "Not set up: your password alone signs you in"}
          </p>
        </div>
        <a class="button quiet" href="/account/authenticator">${authenticator ? "Change app" : "Set up app"}</a>`,
      ...passkeys.map(
        (passkey) =>
          html`<div>
              <strong>${passkey.name}</strong>
              <p class="hint">
                Passkey, added
                ${renderDay(passkey.createdAt)}${passkey.lastUsedAt && html`, last used ${renderSince(passkey.lastUsedAt, nowMs)}`}
              </p>
            </div>
            <a class="button quiet" href="/account/passkeys/${passkey.id}" aria-label="Change passkey ${passkey.name}"
              >Change</a
            >`,
      ),
    ],
    after: canAddPasskeys && html`<p><a class="button quiet" href="/account/passkeys/add">Add a passkey</a></p>`,
  });
}

function renderSessions({ visit, sessions, nowMs }: Overview): Html {
  const { csrf, session: here } = visit;
  const others = sessions.filter(({ id }) => id !== here.sessionId);
  return renderSection({
    title: "Signed-in devices",
    empty: "",
    items: sessions.map((session) => {
      const name = describeUserAgent(session.userAgent);
      const isHere = session.id === here.sessionId;
      return html`<div>
          <strong>${name}</strong>${isHere && html` <span class="badge">This device</span>`}
          <p class="hint">
            ${session.address}, ${isHere ? "active now" : html`last seen ${renderSince(session.lastSeenAt, nowMs)}`}
          </p>
        </div>
        ${!isHere && renderEnd({ action: "/account/sessions/end", csrf, field: "session", value: session.id, label: "Sign out", of: name })}`;
    }),
    after:
      others.length > 0 &&
      renderForm({
        action: "/account/sessions/end-others",
        csrf,
        body: renderButton({ label: "Sign out all other devices", kind: "danger" }),
      }),
  });
}

function renderApplications({ visit, applications, memberships }: Overview): Html {
  const nameOf = new Map(memberships.map((membership) => [membership.accountId, renderAccountName(membership)]));
  return renderSection({
    title: "Connected applications",
    empty: "No application acts for you.",
    items: applications.map(
      ({ grantId, applicationName, accountId, createdAt }) =>
        html`<div>
            ${renderStrangersName(applicationName)}
            <p class="hint">
              ${nameOf.get(accountId) ?? "An account that you have left"}, since ${renderDay(createdAt)}
            </p>
          </div>
          ${renderEnd({ action: "/account/applications/disconnect", csrf: visit.csrf, field: "grant", value: grantId, label: "Disconnect", of: quoteName(applicationName) })}`,
    ),
  });
}

type End = { action: string; csrf: string; field: string; value: string; label: string; of: string };

/** Many buttons say the same: what each is for is told to those who cannot see what it stands beside. */
function renderEnd({ action, csrf, field, value, label, of }: End): Html {
  return renderForm({
    action,
    csrf,
    hidden: { [field]: value },
    body: html`<button type="submit" class="quiet">${label}<span class="unseen">: ${of}</span></button>`,
  });
}

type Section = { title: string; empty: string; items: readonly Html[]; after?: Html | false };

function renderSection({ title, empty, items, after }: Section): Html {
  return html`<section>
    <h2>${title}</h2>
    ${
      items.length === 0
        ? html`<p class="hint">${empty}</p>`
        : html`<ul class="rows">
            ${items.map((item) => html`<li>${item}</li> `)}
          </ul>`
    }
    ${after}
  </section> `;
}
