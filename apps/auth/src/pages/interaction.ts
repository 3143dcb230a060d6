import { consoleApplication, type Membership } from "@gateway/platform/accounts";
import { auditOriginOf } from "../browser/audit-origin.ts";
import { allowApplication } from "../browser/security-headers.ts";
import type { BrowserSession } from "../browser/browser-session.ts";
import type { Interaction } from "../provider/interactions.ts";
import { lacksSecondFactor, ownsSecondFactor } from "../provider/second-factor-rule.ts";
import { wholeForm } from "../views/form.ts";
import { html } from "../views/html.ts";
import { renderStrangersName } from "../views/strangers-name.ts";
import { consentPage, permissionShown } from "./consent.ts";
import { gone } from "./interaction-over.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type PageHandler, type Visit } from "./page.ts";
import { secondFactorNeededPage } from "./second-factor-needed.ts";
import type { SignInAttempt } from "./sign-in-attempt.ts";
import { askAgain, signInLinks, signInPage, type SignInPlace } from "./sign-in-page.ts";

export async function showInteraction(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps);
  if (interaction.prompt === "consent") {
    return showConsent(visit, deps, interaction);
  }
  return visit.session && !interaction.mustSignInAgain
    ? goOn(visit, deps, visit.session)
    : signInPage(visit, deps, await placeOf(visit, deps, interaction));
}

export function submitInteraction(attempt: SignInAttempt): PageHandler {
  return async (visit, deps) => {
    const interaction = await findInteraction(visit, deps, "login");
    const outcome = await attempt(visit, deps);
    return outcome.kind === "signedIn"
      ? goOn(visit, deps, outcome.session)
      : askAgain(visit, deps, await placeOf(visit, deps, interaction), outcome);
  };
}

/** Handles Allow and Deny. The account must be one of the user's. */
export async function submitConsent(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps, "consent");
  if (visit.form.get("decision") !== "allow") {
    return redirect(await deps.interactions.deny(visit.req, visit.res));
  }
  const session = sessionOf(visit, interaction);
  const memberships = await deps.platform.accounts.people.listOfUser(session.userId);
  const chosen = memberships.find(
    ({ accountId, isSuspended }) => accountId === visit.form.get("account") && !isSuspended,
  );
  if (!chosen) {
    return showConsent(visit, deps, interaction, { account: "Choose one of your accounts." });
  }
  if (visit.form.get("permission") !== permissionShown(interaction)) {
    const fault = "The permissions of the application have changed. Read them again.";
    return showConsent(visit, deps, interaction, { [wholeForm]: fault });
  }
  if (await lacksSecondFactor(deps, session, chosen)) {
    return secondFactorNeeded(visit, deps, interaction, chosen);
  }
  const { accountId } = chosen;
  const { permission } = interaction;
  const origin = auditOriginOf(visit.req);
  return redirect(await deps.interactions.consent(visit.req, visit.res, { accountId, permission, session, origin }));
}

/** Keeps the request and asks again who the user is. The current user is signed out of this browser. */
export async function submitSwitchUser(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { req, res } = visit;
  await findInteraction(visit, deps, "consent");
  await deps.sessions.end(req, res);
  return redirect(await deps.interactions.askAgain(req, res));
}

async function findInteraction(
  { req, res }: Visit,
  { interactions }: PageDeps,
  prompt?: Interaction["prompt"],
): Promise<Interaction> {
  const interaction = await interactions.find(req, res);
  if (!interaction || interaction.uid !== req.params["uid"] || (prompt && interaction.prompt !== prompt)) {
    throw gone(interaction);
  }
  return interaction;
}

/** Throws when another user has signed in since then, or when no user is signed in. */
function sessionOf({ session }: Visit, interaction: Interaction): BrowserSession {
  if (session === null || session.userId !== interaction.userId) {
    throw gone(interaction);
  }
  return session;
}

async function secondFactorNeeded(
  visit: Visit,
  deps: PageDeps,
  interaction: Interaction,
  account: Membership,
): Promise<PageContent> {
  await allowForms(visit, deps, interaction.application);
  const hasOne = await ownsSecondFactor(deps.platform, sessionOf(visit, interaction).userId);
  return secondFactorNeededPage(visit, { interaction, account, hasOne });
}

async function goOn({ req, res }: Visit, { interactions }: PageDeps, session: BrowserSession): Promise<PageAnswer> {
  return redirect(await interactions.signIn(req, res, session));
}

async function placeOf(
  visit: Visit,
  deps: PageDeps,
  { uid, application, loginHint }: Interaction,
): Promise<SignInPlace> {
  const base = `/interaction/${uid}`;
  await allowForms(visit, deps, application);
  return {
    ...{ base, action: `${base}/sign-in`, next: null, email: loginHint ?? "" },
    lead: html`<p>to continue to ${renderStrangersName(application.name)}</p>`,
    links: signInLinks(base),
  };
}

/** Allows the forms of a page to lead to the application (`form-action`). */
async function allowForms({ res }: Visit, { platform }: PageDeps, { id }: Interaction["application"]): Promise<void> {
  const client = await platform.accounts.oauthApplications.findClient(id);
  allowApplication(res, { redirectUris: client?.redirectUris ?? [] });
}

/** The console is ours, so its users are not asked for consent. They choose an account when they have several. */
async function showConsent(
  visit: Visit,
  deps: PageDeps,
  interaction: Interaction,
  faults: Readonly<Record<string, string>> = {},
): Promise<PageAnswer> {
  const { platform } = deps;
  const client = await platform.accounts.oauthApplications.findClient(interaction.application.id);
  const session = sessionOf(visit, interaction);
  const memberships = await platform.accounts.people.listOfUser(session.userId);
  const [only, another] = memberships;
  if (only && !another && (await lacksSecondFactor(deps, session, only))) {
    return secondFactorNeeded(visit, deps, interaction, only);
  }
  const isOurs = client?.id === consoleApplication.id;
  if (isOurs && only && !another && !only.isSuspended) {
    const { accountId } = only;
    const choice = { accountId, permission: interaction.permission, session, origin: auditOriginOf(visit.req) };
    return redirect(await deps.interactions.consent(visit.req, visit.res, choice));
  }
  const user = await platform.auth.users.get(session.userId);
  if (!client || !user) {
    throw gone(interaction);
  }
  allowApplication(visit.res, client);
  const account = client.accountId === null ? null : await platform.accounts.get(client.accountId);
  return consentPage({
    csrf: visit.csrf,
    interaction,
    client,
    user,
    registeredBy: isOurs ? null : (account?.email ?? ""),
    memberships,
    faults,
  });
}
