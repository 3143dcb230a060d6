import { readNextPage } from "./next-page.ts";
import { noticeOf } from "./notices.ts";
import { redirect, type PageAnswer, type PageDeps, type PageHandler, type Visit } from "./page.ts";
import type { SignInAttempt } from "./sign-in-attempt.ts";
import { askAgain, signInLinks, signInPage, type SignInPlace } from "./sign-in-page.ts";

export async function showSignIn(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const next = readNextPage(visit.query.get("next"));
  return visit.session ? redirect(next ?? "/account") : signInPage(visit, deps, placeOf(visit, next));
}

/** Called when somebody signed in meanwhile, in another tab. */
export async function goOnSignedIn({ form }: Visit): Promise<PageAnswer> {
  return redirect(readNextPage(form.get("next")) ?? "/account");
}

export function submitSignIn(attempt: SignInAttempt): PageHandler {
  return async (visit, deps) => {
    const outcome = await attempt(visit, deps);
    const next = readNextPage(visit.form.get("next"));
    return outcome.kind === "signedIn"
      ? redirect(next ?? "/account")
      : askAgain(visit, deps, placeOf(visit, next), outcome);
  };
}

function placeOf(visit: Visit, next: string | null): SignInPlace {
  return { base: "/sign-in", next, notice: noticeOf(visit), links: signInLinks(next) };
}
