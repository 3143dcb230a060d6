import type { User } from "@gateway/platform/auth";
import { ownsSecondFactor } from "../provider/second-factor-rule.ts";
import { html } from "../views/html.ts";
import { renderSignIn } from "../views/sign-in-view.ts";
import { readNextPage } from "./next-page.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { codePage } from "./second-factor.ts";
import {
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  type FailedSignIn,
  type SignInOutcome,
} from "./sign-in-attempt.ts";
import { retryAfterOf } from "./sign-in.ts";
import { userOf } from "./signed-in.ts";

/** Before what a stranger at an unlocked screen must not change. */
export async function showSignInAgain(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return signInAgainPage(visit, deps, { user: await userOf(visit, deps), next: visit.query.get("next") });
}

export async function submitSignInAgain(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  return goOn(visit, deps, user, await signInWithPassword(visit, deps, user));
}

export async function submitSignInAgainPasskey(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  return goOn(visit, deps, user, await signInWithPasskey(visit, deps, user));
}

export async function submitSignInAgainCode(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  return goOn(visit, deps, user, await signInWithCode(visit, deps, user));
}

async function goOn(visit: SignedInVisit, deps: PageDeps, user: User, outcome: SignInOutcome): Promise<PageAnswer> {
  const next = visit.form.get("next");
  if (outcome.kind === "codeNeeded") {
    const { known, problem } = outcome;
    return codePage(visit, { action: "/sign-in/again/code", hidden: { known, next: readNextPage(next) }, problem });
  }
  return outcome.kind === "signedIn"
    ? redirect(readNextPage(next) ?? "/account")
    : signInAgainPage(visit, deps, { user, next, failed: outcome });
}

async function signInAgainPage(
  visit: SignedInVisit,
  { ceremonies, platform }: PageDeps,
  { user, next, failed }: { user: User; next: string | null; failed?: FailedSignIn },
): Promise<PageContent> {
  const lead = (await ownsSecondFactor(platform, user.id))
    ? "To change how your account is protected, sign in once more with your second factor: a passkey, or a code and " +
      "your password. If you have lost them all, ask the operator of this service."
    : "You signed in a while ago. Sign in once more to change how your account is protected.";
  return page({
    title: "Confirm that it is you",
    status: failed?.status ?? 200,
    ...retryAfterOf(failed),
    scripts: ["webauthn.js", "passkeys.js"],
    body: renderSignIn({
      action: "/sign-in/again",
      passkeyAction: "/sign-in/again/passkey",
      csrf: visit.csrf,
      next: readNextPage(next),
      email: user.email,
      isEmailFixed: true,
      faults: failed?.faults,
      passkeyOptions: ceremonies.isAvailable ? await ceremonies.askToSignIn(visit.browser) : null,
      lead: html`<p>${lead}</p>`,
      links: html`<nav class="links" aria-label="Other ways on">
        <p><a href="/account">Back to your account</a></p>
      </nav>`,
    }),
  });
}
