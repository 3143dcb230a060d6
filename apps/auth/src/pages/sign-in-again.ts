import type { User } from "@gateway/platform/auth";
import { ownsSecondFactor } from "../provider/second-factor-rule.ts";
import { html } from "../views/html.ts";
import { backToAccount } from "../views/links.ts";
import { readNextPage } from "./next-page.ts";
import { redirect, type PageAnswer, type PageDeps, type SignedInVisit } from "./page.ts";
import type { SignInAttempt } from "./sign-in-attempt.ts";
import { askAgain, signInPage, type SignInPlace } from "./sign-in-page.ts";
import { userOf, type SignedInHandler } from "./signed-in.ts";

/** Before what a stranger at an unlocked screen must not change. */
export async function showSignInAgain(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const next = readNextPage(visit.query.get("next"));
  return signInPage(visit, deps, await placeOf(deps, await userOf(visit, deps), next));
}

export function submitSignInAgain(attempt: SignInAttempt): SignedInHandler {
  return async (visit, deps) => {
    const user = await userOf(visit, deps);
    const outcome = await attempt(visit, deps, user);
    const next = readNextPage(visit.form.get("next"));
    return outcome.kind === "signedIn"
      ? redirect(next ?? "/account")
      : askAgain(visit, deps, await placeOf(deps, user, next), outcome);
  };
}

async function placeOf({ platform }: PageDeps, { id, email }: User, next: string | null): Promise<SignInPlace> {
  const lead = (await ownsSecondFactor(platform, id))
    ? "To change how your account is protected, sign in once more with your second factor: a passkey, or a code and " +
      "your password. If you have lost them all, ask the operator of this service."
    : "You signed in a while ago. Sign in once more to change how your account is protected.";
  return {
    ...{ title: "Confirm that it is you", base: "/sign-in/again", next, email, isEmailFixed: true },
    ...{ lead: html`<p>${lead}</p>`, links: backToAccount },
  };
}
