import { allowApplication } from "../browser/security-headers.ts";
import type { BrowserSession } from "../browser/browser-session.ts";
import type { Interaction, SignedIn } from "../provider/interactions.ts";
import { wholeForm } from "../views/form.ts";
import { html } from "../views/html.ts";
import { renderStrangersName } from "../views/strangers-name.ts";
import { renderSignIn } from "../views/sign-in-view.ts";
import { consentPage, permissionShown } from "./consent.ts";
import { page, redirect, Refusal, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { signInWithPasskey, signInWithPassword, type FailedSignIn, type SignInOutcome } from "./sign-in-attempt.ts";
import { retryAfterOf, signInLinks } from "./sign-in.ts";

/** What an application's authorize request asks: who the user is, and then whether the application may. */
export async function showInteraction(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps);
  if (interaction.prompt === "consent") {
    return showConsent(visit, deps, interaction);
  }
  return visit.session && !interaction.mustSignInAgain
    ? goOn(visit, deps, visit.session)
    : signInPage(visit, deps, { interaction });
}

export async function submitInteractionSignIn(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps, "login");
  return answerSignIn(visit, deps, { interaction, outcome: await signInWithPassword(visit, deps) });
}

export async function submitInteractionPasskey(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps, "login");
  return answerSignIn(visit, deps, { interaction, outcome: await signInWithPasskey(visit, deps) });
}

/** Allow or Deny. The account must be one of the user's. */
export async function submitConsent(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const interaction = await findInteraction(visit, deps, "consent");
  if (visit.form.get("decision") !== "allow") {
    return redirect(await deps.interactions.deny(visit.req, visit.res));
  }
  const memberships = await deps.platform.accounts.people.listOfUser(signedInUserId(visit, interaction));
  const chosen = memberships.find(
    ({ accountId, isSuspended }) => accountId === visit.form.get("account") && !isSuspended,
  );
  if (!chosen) {
    return showConsent(visit, deps, interaction, { account: "Choose one of your accounts." });
  }
  if (visit.form.get("permission") !== permissionShown(interaction)) {
    const fault = "What the application may do has changed meanwhile. Read it again.";
    return showConsent(visit, deps, interaction, { [wholeForm]: fault });
  }
  const { accountId } = chosen;
  const { permission } = interaction;
  return redirect(await deps.interactions.consent(visit.req, visit.res, { accountId, permission }));
}

/** The request stays, and asks anew who the user is: whoever was is signed out of this browser. */
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

/** Since the user signed in, somebody else may have, or nobody be signed in any more. */
function signedInUserId({ session }: Visit, interaction: Interaction): string {
  const { userId } = interaction;
  if (userId === null || session?.userId !== userId) {
    throw gone(interaction);
  }
  return userId;
}

function gone(interaction: Interaction | null): Refusal {
  return new Refusal(400, {
    title: "This sign-in is over",
    message:
      "It was finished already, ran out, or was begun in another browser. Go back to the application and sign in from there again.",
    application: interaction?.application,
  });
}

async function answerSignIn(
  visit: Visit,
  deps: PageDeps,
  { interaction, outcome }: { interaction: Interaction; outcome: SignInOutcome },
): Promise<PageAnswer> {
  return outcome.kind === "signedIn"
    ? goOn(visit, deps, outcome.session)
    : signInPage(visit, deps, { interaction, failed: outcome });
}

/** Names of methods as in RFC 8176. A link of a mail has none there. */
const methodsOf: Readonly<Record<BrowserSession["method"], string[]>> = {
  password: ["pwd"],
  passkey: ["hwk", "user"],
  link: [],
};

async function goOn({ req, res }: Visit, { interactions }: PageDeps, session: BrowserSession): Promise<PageAnswer> {
  const who: SignedIn = {
    userId: session.userId,
    sessionId: session.sessionId,
    authenticatedAtMs: session.authenticatedAtMs,
    methods: methodsOf[session.method],
  };
  return redirect(await interactions.signIn(req, res, who));
}

async function signInPage(
  visit: Visit,
  { platform, ceremonies }: PageDeps,
  { interaction, failed }: { interaction: Interaction; failed?: FailedSignIn },
): Promise<PageContent> {
  const { uid, application } = interaction;
  const next = `/interaction/${uid}`;
  const client = await platform.accounts.oauthApplications.findClient(application.id);
  allowApplication(visit.res, { redirectUris: client?.redirectUris ?? [] });
  return page({
    title: "Sign in",
    status: failed?.status ?? 200,
    ...retryAfterOf(failed),
    scripts: ["webauthn.js", "passkeys.js"],
    body: renderSignIn({
      action: `${next}/sign-in`,
      passkeyAction: `${next}/passkey`,
      csrf: visit.csrf,
      next: null,
      email: failed?.email ?? interaction.loginHint ?? "",
      faults: failed?.faults,
      passkeyOptions: ceremonies.isAvailable ? await ceremonies.askToSignIn(visit.browser) : null,
      lead: html`<p>to continue to ${renderStrangersName(application.name)}</p>`,
      links: signInLinks(next),
    }),
  });
}

async function showConsent(
  visit: Visit,
  deps: PageDeps,
  interaction: Interaction,
  faults: Readonly<Record<string, string>> = {},
): Promise<PageContent> {
  const { platform } = deps;
  const client = await platform.accounts.oauthApplications.findClient(interaction.application.id);
  const user = await platform.auth.users.get(signedInUserId(visit, interaction));
  if (!client || !user) {
    throw gone(interaction);
  }
  allowApplication(visit.res, client);
  const account = await platform.accounts.get(client.accountId);
  return consentPage({
    csrf: visit.csrf,
    interaction,
    client,
    user,
    registeredBy: account?.email ?? "",
    memberships: await platform.accounts.people.listOfUser(user.id),
    faults,
  });
}
