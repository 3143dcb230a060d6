import { html } from "../views/html.ts";
import { renderSignIn } from "../views/sign-in-view.ts";
import { leadingTo, readNextPage } from "./next-page.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { noticeOf } from "./notices.ts";
import { codePage } from "./second-factor.ts";
import {
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
  type FailedSignIn,
  type SignInOutcome,
} from "./sign-in-attempt.ts";

/** Signing in for our own pages. Whoever is signed in already goes on. */
export async function showSignIn(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const next = readNextPage(visit.query.get("next"));
  return visit.session ? redirect(next ?? "/account") : signInPage(visit, deps, { next });
}

/** Somebody signed in meanwhile, in another tab. */
export async function goOnSignedIn({ form }: Visit): Promise<PageAnswer> {
  return redirect(readNextPage(form.get("next")) ?? "/account");
}

export async function submitSignIn(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  return goOn(visit, deps, await signInWithPassword(visit, deps));
}

export async function submitSignInPasskey(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  return goOn(visit, deps, await signInWithPasskey(visit, deps));
}

export async function submitSignInCode(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  return goOn(visit, deps, await signInWithCode(visit, deps));
}

async function goOn(visit: Visit, deps: PageDeps, outcome: SignInOutcome): Promise<PageAnswer> {
  const next = readNextPage(visit.form.get("next"));
  if (outcome.kind === "codeNeeded") {
    const { known, problem } = outcome;
    return codePage(visit, { action: "/sign-in/code", hidden: { known, next }, problem });
  }
  return outcome.kind === "signedIn"
    ? redirect(next ?? "/account")
    : signInPage(visit, deps, { next, failed: outcome });
}

async function signInPage(
  visit: Visit,
  { ceremonies }: PageDeps,
  { next, failed }: { next: string | null; failed?: FailedSignIn },
): Promise<PageContent> {
  return page({
    title: "Sign in",
    status: failed?.status ?? 200,
    notice: noticeOf(visit),
    ...retryAfterOf(failed),
    scripts: ["webauthn.js", "passkeys.js"],
    body: renderSignIn({
      action: "/sign-in",
      passkeyAction: "/sign-in/passkey",
      csrf: visit.csrf,
      next,
      email: failed?.email ?? "",
      faults: failed?.faults,
      passkeyOptions: ceremonies.isAvailable ? await ceremonies.askToSignIn(visit.browser) : null,
      links: signInLinks(next),
    }),
  });
}

export function retryAfterOf(failed: FailedSignIn | undefined): { retryAfterSeconds?: number } {
  return failed?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failed.retryAfterSeconds };
}

/** The other ways in; all of them come back to `next`. */
export function signInLinks(next: string | null) {
  return html`<nav class="links" aria-label="Other ways in">
    <p><a href="${leadingTo("/password/forgotten", next)}">Forgotten your password?</a></p>
    <p>New here? <a href="${leadingTo("/sign-up", next)}">Create an account</a></p>
  </nav>`;
}
