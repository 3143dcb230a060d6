import { renderForm } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { emailField, passwordField } from "./known-fields.ts";
import { leadingTo } from "./next-page.ts";
import { page, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { codePage } from "./second-factor.ts";
import type { CodeNeeded, FailedSignIn } from "./sign-in-attempt.ts";

/** A place where people sign in: our own page, an application's request, or a confirmation. */
export type SignInPlace = {
  title?: string;
  /** The path below which the passkey and the code are sent. The password goes to `action`. */
  base: string;
  action?: string;
  next: string | null;
  email?: string;
  /** True when only one user may sign in. */
  isEmailFixed?: boolean;
  notice?: string | undefined;
  lead?: Html;
  links: Html;
};

/** Responds to an attempt that failed or needs a code: asks for the code, or shows the page again with its faults. */
export function askAgain(
  visit: Visit,
  deps: PageDeps,
  place: SignInPlace,
  outcome: FailedSignIn | CodeNeeded,
): PageContent | Promise<PageContent> {
  if (outcome.kind === "failed") {
    return signInPage(visit, deps, place, outcome);
  }
  const { known, problem } = outcome;
  return codePage(visit, { action: `${place.base}/code`, hidden: { known, next: place.next } }, problem);
}

export async function signInPage(
  visit: Visit,
  { ceremonies }: PageDeps,
  place: SignInPlace,
  failed?: FailedSignIn,
): Promise<PageContent> {
  const { title = "Sign in", base, action = base, next, notice, lead, links, isEmailFixed = false } = place;
  const email = failed?.email ?? place.email ?? "";
  const passkeyOptions = ceremonies.isAvailable ? await ceremonies.askToSignIn(visit.browser) : null;
  const { csrf } = visit;
  const form = renderForm({
    ...{ action, csrf, hidden: { next }, faults: failed?.faults },
    fields: [
      {
        ...{ ...emailField, autocomplete: "username webauthn", value: email },
        ...{ isFirst: email === "", isReadOnly: isEmailFixed },
      },
      { ...passwordField, isFirst: email !== "" },
    ],
    buttons: ["Sign in"],
  });
  const passkeyForm = renderForm({
    ...{ action: `${base}/passkey`, csrf, hidden: { next, credential: "" } },
    buttons: [{ label: "Sign in with a passkey", kind: "quiet" }],
  });
  return page({
    title,
    status: failed?.status ?? 200,
    notice,
    ...(failed?.retryAfterSeconds !== undefined && { retryAfterSeconds: failed.retryAfterSeconds }),
    scripts: ["webauthn.js", "passkeys.js"],
    body: html`${lead}${form} ${passkeyOptions !== null && renderPasskeySignIn(passkeyForm, passkeyOptions)} ${links}`,
  });
}

/** Hidden until the script finds that the browser supports passkeys. `options` is the JSON of the passkey request. */
function renderPasskeySignIn(form: Html, options: string): Html {
  return html`<div class="or" data-passkey="sign-in" data-options="${options}" hidden>
    ${form}
    <div class="faults" role="alert" hidden></div>
  </div>`;
}

/** The other ways to sign in. All of them come back to `next`. */
export function signInLinks(next: string | null): Html {
  return html`<nav class="links" aria-label="Other ways in">
    <p><a href="${leadingTo("/password/forgotten", next)}">Forgotten your password?</a></p>
    <p>New here? <a href="${leadingTo("/sign-up", next)}">Create an account</a></p>
  </nav>`;
}
