import type { Invitation } from "@gateway/platform/accounts";
import { notifyOwners } from "@gateway/platform/acts/notify-owners";
import type { User } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Faults } from "../views/form.ts";
import { renderForm } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { renderAccountName } from "../views/strangers-name.ts";
import { findLink, linkIsOver } from "./mailed-link.ts";
import { newUserFields, readNewUser } from "./new-user-form.ts";
import { leadingTo } from "./next-page.ts";
import { withNotice } from "./notices.ts";
import { startSession } from "./sign-in-attempt.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";

type Waiting = { token: string; invitation: Invitation; invited: User | null; signedInAs: User | null };

/** Shows the account and the role. Viewing the page does not use up the link. */
export async function showInvitation(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  return invitationPage(visit, await findWaiting(visit, deps, visit.query.get("token")));
}

/** A user with the address joins. A person without a user becomes one first, without an account of their own. */
export async function submitInvitation(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const waiting = await findWaiting(visit, deps, visit.form.get("token"));
  const { invited, signedInAs } = waiting;
  if (!invited && !signedInAs) {
    return joinAsNewUser(visit, deps, waiting);
  }
  if (!invited || signedInAs?.id !== invited.id) {
    return invitationPage(visit, waiting);
  }
  await join(visit, deps, waiting, async () => invited);
  return redirect(withNotice("/account", "joined"));
}

async function joinAsNewUser(visit: Visit, deps: PageDeps, waiting: Waiting): Promise<PageAnswer> {
  const { form } = visit;
  const { email } = waiting.invitation;
  const read = readNewUser(form, { email });
  if ("faults" in read) {
    return invitationPage(visit, waiting, { name: form.get("name") ?? "", faults: read.faults });
  }
  const passwordHash = await deps.passwords.hash(read.password);
  const user = await join(visit, deps, waiting, ({ auth }) =>
    auth.users.create({ email, name: read.name, passwordHash }),
  );
  await startSession(visit, deps, { user, method: "link" });
  return redirect(withNotice("/account", "joined"));
}

/** Uses up the link and fills the place in one transaction, or changes nothing. */
function join(
  visit: Visit,
  { platform }: PageDeps,
  { token, invitation: { accountId, personId } }: Waiting,
  findUser: (services: Services) => Promise<User | null>,
): Promise<User> {
  return platform.transaction(async (services) => {
    const link = await services.auth.mailLinks.use(token, "invitation");
    const user = link && (await findUser(services));
    const person = user && (await services.accounts.people.join({ personId, userId: user.id }));
    if (!person) {
      throw linkIsOver("invitation");
    }
    if (person.role === "owner") {
      await notifyOwners(services, accountId, {
        kind: "owners_changed",
        change: "made",
        ownerEmail: person.email,
        by: `${person.email}, who was invited`,
        clientAddress: visit.req.ip ?? null,
      });
    }
    return user;
  });
}

async function findWaiting({ session }: Visit, deps: PageDeps, fromPage: string | null): Promise<Waiting> {
  const { token, link } = await findLink(deps, fromPage, "invitation");
  const { accounts, auth } = deps.platform;
  // Read before the invitation: a user who joined between the two reads would be asked to sign in for a used
  // invitation.
  const invited = await auth.users.findByEmail(link.email);
  const invitation = link.personId === null ? null : await accounts.people.findInvitation(link.personId);
  if (!invitation) {
    throw linkIsOver("invitation");
  }
  return {
    token,
    invitation,
    invited,
    signedInAs: session && (await auth.users.get(session.userId)),
  };
}

function invitationPage(visit: Visit, waiting: Waiting, typed: { name?: string; faults?: Faults } = {}): PageContent {
  const { role, email } = waiting.invitation;
  return page({
    title: "You are invited",
    status: typed.faults ? 422 : 200,
    body: html`<p>
        The account <strong>${renderAccountName(waiting.invitation)}</strong> invites <strong>${email}</strong> as
        <strong>${role}</strong>.
      </p>
      <p class="hint">${whatRolesDo[role]}</p>
      ${renderWayIn(visit, waiting, typed)}`,
  });
}

const whatRolesDo = {
  viewer: "A viewer sees everything in the account and changes nothing.",
  member: "A member sees and changes what is in the account, but not its keys and people.",
  owner: "An owner does everything, including the account's keys, applications and people.",
} as const;

function renderWayIn(
  { csrf }: Visit,
  { token, invitation, invited, signedInAs }: Waiting,
  { name = "", faults }: { name?: string; faults?: Faults },
): Html {
  const action = "/invitations/accept";
  const hidden = { token };
  if (signedInAs && signedInAs.id !== invited?.id) {
    return html`<p>
        You are signed in as <strong>${signedInAs.email}</strong>. Sign out, then open the link of the mail again.
      </p>
      <p><a class="button quiet" href="/sign-out">Sign out</a></p>`;
  }
  if (signedInAs) {
    return renderForm({ action, csrf, hidden, buttons: ["Accept"] });
  }
  if (invited) {
    const next = `${action}?token=${token}`;
    return html`<p>Sign in with this address to accept.</p>
      <p><a class="button" href="${leadingTo("/sign-in", next)}">Sign in</a></p>`;
  }
  const fields = newUserFields({ email: invitation.email, name });
  return html`<p>Choose a name and a password to join.</p>
    ${renderForm({ action, csrf, hidden, faults, fields, buttons: ["Join"] })}`;
}
