import type { ConnectedApplication, Membership } from "@gateway/platform/accounts";
import type { Authenticator, Passkey, Session, User } from "@gateway/platform/auth";
import { describeUserAgent } from "../views/describe-user-agent.ts";
import { renderForm } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { quoteName, renderAccountName } from "../views/strangers-name.ts";
import { renderDay, renderSince } from "../views/time.ts";
import { firstKeyPath } from "./first-key.ts";
import { noticeOf, withNotice } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";
import { suspendedHint } from "./own-account.ts";

type Overview = {
  /** Null when the deployment has no console. */
  consoleUrl: string | null;
  visit: SignedInVisit;
  nowMs: number;
  user: User;
  memberships: readonly Membership[];
  withoutKeys: readonly string[];
  sessions: readonly Session[];
  passkeys: readonly Passkey[];
  authenticator: Authenticator | null;
  /** False where browsers refuse passkeys. */
  canAddPasskeys: boolean;
  applications: readonly ConnectedApplication[];
};

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
    ${renderItem({ name: user.name, hint: user.email })}
    ${consoleUrl !== null && renderWay(`${consoleUrl}/`, "To the console")} ${renderWay("/sign-out", "Sign out")}
  </div> `;
}

function renderYou({ user }: Overview): Html {
  return renderSection({
    title: "You",
    items: [
      { name: "Name", hint: user.name, ways: renderWay("/account/name", "Change name") },
      { name: "E-mail address", hint: user.email, ways: renderWay("/account/email", "Change e-mail address") },
    ],
  });
}

function renderMemberships({ memberships, withoutKeys }: Overview): Html {
  return renderSection({
    title: "Accounts",
    empty: "You do not belong to an account. Ask an owner to invite you.",
    items: memberships.map((membership) => {
      const { accountId, role, isSuspended } = membership;
      return {
        name: renderAccountName(membership),
        badge: isSuspended && "Suspended",
        hint: html`Your role: ${role}${isSuspended && html`. ${suspendedHint}`}`,
        ways: role === "owner" && renderOwned(membership, { hasNoKey: withoutKeys.includes(accountId) }),
      };
    }),
  });
}

function renderOwned({ accountId, accountName }: Membership, { hasNoKey }: { hasNoKey: boolean }): Html {
  const way = (href: string, label: string): Html =>
    renderWay(href, html`${label}<span class="unseen">: ${accountName}</span>`);
  return html`${hasNoKey && way(firstKeyPath(accountId), "Create the first API key")}
  ${way(`/account/rules/${accountId}`, "Security")} ${way(`/account/export/${accountId}`, "Download its data")}
  ${way(`/account/close/${accountId}`, "Close it")}`;
}

function renderSecurity({ user, passkeys, authenticator, canAddPasskeys, nowMs }: Overview): Html {
  return renderSection({
    title: "Password, authenticator app and passkeys",
    items: [
      {
        name: "Password",
        hint: user.passwordChangedAt && html`Set ${renderDay(user.passwordChangedAt)}`,
        ways: renderWay("/account/password", "Change password"),
      },
      {
        name: "Authenticator app",
        hint: authenticator
          ? html`Set up ${renderDay(authenticator.createdAt)}`
          : "Not set up: your password alone signs you in",
        ways: renderWay("/account/authenticator", authenticator ? "Change app" : "Set up app"),
      },
      ...passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
        name,
        hint: html`Passkey, added
        ${renderDay(createdAt)}${lastUsedAt && html`, last used ${renderSince(lastUsedAt, nowMs)}`}`,
        ways: html`<a class="button quiet" href="/account/passkeys/${id}" aria-label="Change passkey ${name}"
          >Change</a
        >`,
      })),
    ],
    after: canAddPasskeys && html`<p>${renderWay("/account/passkeys/add", "Add a passkey")}</p>`,
  });
}

function renderSessions({ visit, sessions, nowMs }: Overview): Html {
  const { csrf, session: here } = visit;
  const others = sessions.filter(({ id }) => id !== here.sessionId);
  const end = { action: "/account/sessions/end", csrf, field: "session", label: "Sign out" };
  return renderSection({
    title: "Signed-in devices",
    items: sessions.map(({ id, userAgent, address, lastSeenAt }) => {
      const name = describeUserAgent(userAgent);
      const isHere = id === here.sessionId;
      return {
        name,
        badge: isHere && "This device",
        hint: html`${address}, ${isHere ? "active now" : html`last seen ${renderSince(lastSeenAt, nowMs)}`}`,
        ways: !isHere && renderEnd({ ...end, value: id, of: name }),
      };
    }),
    after:
      others.length > 0 &&
      renderForm({
        action: "/account/sessions/end-others",
        csrf,
        buttons: [{ label: "Sign out all other devices", kind: "danger" }],
      }),
  });
}

function renderApplications({ visit: { csrf }, applications, memberships }: Overview): Html {
  const nameOf = new Map(memberships.map((membership) => [membership.accountId, renderAccountName(membership)]));
  const end = { action: "/account/applications/disconnect", csrf, field: "grant", label: "Disconnect" };
  return renderSection({
    title: "Connected applications",
    empty: "No application acts for you.",
    items: applications.map(({ grantId, applicationName, accountId, createdAt }) => ({
      name: html`<bdi>${quoteName(applicationName)}</bdi>`,
      hint: html`${nameOf.get(accountId) ?? "An account that you have left"}, since ${renderDay(createdAt)}`,
      ways: renderEnd({ ...end, value: grantId, of: quoteName(applicationName) }),
    })),
  });
}

type End = { action: string; csrf: string; field: string; value: string; label: string; of: string };

/** Several buttons have the same label, so screen readers also get the object that each one acts on. */
function renderEnd({ action, csrf, field, value, label, of }: End): Html {
  return renderForm({
    action,
    csrf,
    hidden: { [field]: value },
    buttons: [html`<button type="submit" class="quiet">${label}<span class="unseen">: ${of}</span></button>`],
  });
}

type Item = { name: Html | string; badge?: string | false; hint: Html | string | null; ways?: Html | false };

function renderItem({ name, badge, hint, ways }: Item): Html {
  return html`<div>
      <strong>${name}</strong>${badge && html` <span class="badge">${badge}</span>`}
      ${hint && html`<p class="hint">${hint}</p>`}
    </div>
    ${ways}`;
}

function renderWay(href: string, label: Html | string): Html {
  return html`<a class="button quiet" href="${href}">${label}</a>`;
}

type Section = { title: string; empty?: string; items: readonly Item[]; after?: Html | false };

function renderSection({ title, empty, items, after }: Section): Html {
  return html`<section>
    <h2>${title}</h2>
    ${
      items.length === 0
        ? html`<p class="hint">${empty}</p>`
        : html`<ul class="rows">
            ${items.map((item) => html`<li>${renderItem(item)}</li> `)}
          </ul>`
    }
    ${after}
  </section> `;
}
