import { base32Of, totpSecretBytes, type Authenticator, type User } from "@gateway/platform/auth";
import { randomBytes } from "node:crypto";
import { renderForm, wholeForm, type Faults } from "../views/form.ts";
import { html } from "../views/html.ts";
import { renderQrCode } from "../views/qr-code.ts";
import { renderDay } from "../views/time.ts";
import { backToAccount } from "../views/links.ts";
import { formPage } from "./form-page.ts";
import { mailedUrl } from "./mailed-link.ts";
import { readNextPage } from "./next-page.ts";
import { withNotice } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";

const path = "/account/authenticator";

export async function showAuthenticator(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  const known = await deps.platform.auth.authenticators.find(user.id);
  return known
    ? changePage(visit, known)
    : setUpPage(visit, deps, { user, next: readNextPage(visit.query.get("next")) });
}

/** Stores the secret that the page showed, once a code shows that the app has it. A mail notifies the user. */
export async function submitAuthenticator(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  const { form, session } = visit;
  const next = readNextPage(form.get("next"));
  const shown = deps.sealedForms.open("authenticator", visit.browser, form.get("secret"));
  if (shown?.userId !== user.id) {
    const fault = "This page was open for too long. Scan the new code.";
    return setUpPage(visit, deps, { user, next, faults: { [wholeForm]: fault } });
  }
  const secret = Buffer.from(shown.secret, "base64");
  const recoveryCodes = await deps.platform.transaction(async ({ auth, mails }) => {
    const added = await auth.authenticators.add({ ...session, secret, code: form.get("code") ?? "" });
    if (Array.isArray(added)) {
      await mails.queue(user.email, { kind: "authenticator_added", url: mailedUrl(deps, "/password/forgotten") });
    }
    return added;
  });
  if (recoveryCodes === "exists") {
    return redirect(path);
  }
  if (recoveryCodes === null) {
    const fault = "The code is wrong. Check the clock of the device that has the app, and enter the next code.";
    return setUpPage(visit, deps, { user, next, secret, faults: { code: fault } });
  }
  return recoveryCodesPage(recoveryCodes, next);
}

export async function submitRecoveryCodes({ session }: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  const codes = await platform.transaction(({ auth }) => auth.authenticators.renewRecoveryCodes(session));
  return codes ? recoveryCodesPage(codes, null) : redirect(path);
}

export async function submitRemoveAuthenticator(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  await deps.platform.transaction(async ({ auth, mails }) => {
    if (await auth.authenticators.remove(visit.session)) {
      await mails.queue(user.email, { kind: "authenticator_removed", url: mailedUrl(deps, "/password/forgotten") });
    }
  });
  return redirect(withNotice("/account", "authenticator-removed"));
}

type SetUp = { user: User; next: string | null; secret?: Buffer; faults?: Faults };

function setUpPage(
  visit: SignedInVisit,
  { sealedForms, issuer }: PageDeps,
  { user, next, secret = randomBytes(totpSecretBytes), faults }: SetUp,
): PageContent {
  const key = base32Of(secret);
  const sealed = sealedForms.seal("authenticator", visit.browser, {
    userId: user.id,
    secret: secret.toString("base64"),
  });
  const hint = "The six digits that the app shows now.";
  const fields = [{ name: "code", label: "Code", autocomplete: "one-time-code", hint }];
  const form = {
    title: "Set up an authenticator app",
    lead: html`<p>You will sign in with your password and a code from the app. Scan this with the app:</p>
      ${renderQrCode(uriOf({ key, email: user.email, issuer }), "QR code for an authenticator app; the key below says the same")}
      <p>
        Or enter this key in the app, as time-based: <code class="key">${(key.match(/.{4}/g) ?? []).join(" ")}</code>
      </p>`,
    ...{ action: path, hidden: { secret: sealed, next }, fields, buttons: ["Set up"], after: backToAccount },
  };
  return formPage(visit, form, { faults });
}

/** The URI for authenticator apps (Key Uri Format). Its label may have only one colon, so a space precedes a port. */
export function uriOf({ key, email, issuer }: { key: string; email: string; issuer: string }): string {
  const name = `Gateway (${new URL(issuer).host.replaceAll(":", " ")})`;
  const label = `${encodeURIComponent(name)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(name)}`;
}

function recoveryCodesPage(codes: readonly string[], next: string | null): PageContent {
  return page({
    title: "Keep your recovery codes",
    body: html`<p>
        If you lose the app, use one of these codes instead of a code from it. Each works once. They are not shown
        again: print them, or keep them with your passwords.
      </p>
      <div data-codes data-title="Recovery codes of Gateway">
        <ul class="codes">
          ${codes.map((code) => html`<li><code>${code}</code></li> `)}
        </ul>
        <div class="keep" data-actions hidden>
          <button type="button" class="quiet" aria-live="polite">Copy</button>
          <button type="button" class="quiet">Download</button>
        </div>
      </div>
      <p><a class="button" href="${next ?? "/account"}">I have kept them</a></p>`,
  });
}

function changePage({ csrf }: SignedInVisit, { createdAt, recoveryCodesLeft }: Authenticator): PageContent {
  return page({
    title: "Authenticator app",
    body: html`<p>Set up ${renderDay(createdAt)}. You sign in with your password and a code from the app.</p>
      <h2>Recovery codes</h2>
      <p>${recoveryCodesLeft} of your recovery codes are left. New codes replace the old ones.</p>
      ${renderForm({ action: `${path}/recovery-codes`, csrf, buttons: [{ label: "Get new recovery codes", kind: "quiet" }] })}
      <h2>Remove</h2>
      <p>Your password alone will sign you in. To use another app, remove this one and set up the other.</p>
      ${renderForm({ action: `${path}/remove`, csrf, buttons: [{ label: "Remove authenticator app", kind: "danger" }] })}
      ${backToAccount}`,
  });
}
