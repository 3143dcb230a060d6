import type { SecondFactor, User } from "@gateway/platform/auth";
import type { SealedContents } from "../browser/sealed-forms.ts";
import { html } from "../views/html.ts";
import { newPasswordField, ownEmailField } from "./known-fields.ts";
import { readNewPassword } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { findLink, linkIsOver, mailedUrl } from "./mailed-link.ts";
import { readNextPage } from "./next-page.ts";
import { withNotice } from "./notices.ts";
import { checkCode, codePage } from "./second-factor.ts";
import { startSession } from "./sign-in-attempt.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";

/** The page behind the link of the mail. Viewing it does not use up the link. */
export async function showResetPassword(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { token, link } = await findLink(deps, visit.query.get("token"), "password_reset");
  return resetPage(visit, { token, email: link.email, next: readNextPage(visit.query.get("next")) });
}

/**
 * Ends every session, so that a person who had the old password is signed out. Second factors stay, because access to
 * the mailbox is not one.
 */
export async function submitResetPassword(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { form } = visit;
  const { token, link } = await findLink(deps, form.get("token"), "password_reset");
  const next = readNextPage(form.get("next"));
  const password = readNewPassword(form, link);
  if ("fault" in password) {
    return resetPage(visit, { token, email: link.email, next }, { faults: { "new-password": password.fault } });
  }
  const reset = {
    token,
    passwordHash: await deps.passwords.hash(password.value),
    disconnects: form.get("disconnect") === "yes",
    next,
  };
  const user = await deps.platform.auth.users.findByEmail(link.email);
  const needsCode = user && (await deps.platform.auth.authenticators.find(user.id));
  return needsCode
    ? resetCodePage(visit, deps.sealedForms.seal("reset", visit.browser, reset))
    : finish(visit, deps, reset, null);
}

/**
 * Changes nothing before the code is checked. A reader of the mails has one factor, and the link is not a second one.
 */
export async function submitResetCode(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const sealed = visit.form.get("reset") ?? "";
  const reset = deps.sealedForms.open("reset", visit.browser, sealed);
  const { link } = await findLink(deps, reset?.token ?? null, "password_reset");
  const user = await deps.platform.auth.users.findByEmail(link.email);
  if (!reset || !user) {
    throw linkIsOver("password_reset");
  }
  const checked = await checkCode(visit, deps, user);
  return "secondFactor" in checked
    ? finish(visit, deps, reset, checked.secondFactor)
    : resetCodePage(visit, sealed, checked);
}

function resetCodePage(visit: Visit, sealed: string, problem?: FormProblem): PageContent {
  return codePage(visit, { action: "/password/reset/code", hidden: { reset: sealed } }, problem);
}

async function finish(
  visit: Visit,
  deps: PageDeps,
  reset: SealedContents["reset"],
  secondFactor: SecondFactor | null,
): Promise<PageAnswer> {
  const user = await setPassword(deps, reset);
  if (!user) {
    throw linkIsOver("password_reset");
  }
  await deps.throttle.forgive(user.email);
  await startSession(visit, deps, { user, method: "link", secondFactor });
  return redirect(reset.next ?? withNotice("/account", "password-changed"));
}

function setPassword(
  deps: PageDeps,
  { token, passwordHash, disconnects }: SealedContents["reset"],
): Promise<User | null> {
  return deps.platform.transaction(async ({ auth, accounts, mails }) => {
    const link = await auth.mailLinks.use(token, "password_reset");
    const user = link && (await auth.users.findByEmail(link.email));
    if (!user) {
      return null;
    }
    await auth.users.changePassword({ userId: user.id, passwordHash });
    await auth.sessions.endAll({ userId: user.id, exceptId: null });
    await auth.mailLinks.revoke({ email: user.email, purpose: "password_reset" });
    if (disconnects) {
      await accounts.grants.revokeAll({ userId: user.id });
    }
    await mails.queue(user.email, { kind: "password_changed", url: mailedUrl(deps, "/password/forgotten") });
    return user;
  });
}

/** Shared by both pages that set a password. */
export const disconnectChoice = html`<label class="choice"
  ><input type="checkbox" name="disconnect" value="yes" />
  <span
    >Disconnect all applications too<span class="hint"
      >Choose this if another person may have had your password.</span
    ></span
  ></label
> `;

function resetPage(
  visit: Visit,
  { email, ...hidden }: { token: string; email: string; next: string | null },
  problem?: FormProblem,
): PageContent {
  const form = {
    title: "Choose a new password",
    lead: html`<p>All devices that are signed in now will be signed out. Your authenticator app and passkeys stay.</p>`,
    action: "/password/reset",
    hidden,
    fields: [ownEmailField(email), { ...newPasswordField, isFirst: true }, disconnectChoice],
    buttons: ["Set password"],
  };
  return formPage(visit, form, problem);
}
