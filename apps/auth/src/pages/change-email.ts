import { foldEmail, type User } from "@gateway/platform/auth";
import { html } from "../views/html.ts";
import { backToAccount } from "../views/links.ts";
import { emailField } from "./known-fields.ts";
import { checkYourMail, tooManyMails } from "./address-page.ts";
import { readEmail } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { findLink, linkIsOver, mailedUrl } from "./mailed-link.ts";
import { withNotice } from "./notices.ts";
import { redirect, Refusal, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { refuse } from "./tries.ts";
import { userOf } from "./signed-in.ts";

export async function showChangeEmail(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return changePage(visit, await userOf(visit, deps), "");
}

/**
 * Responds alike and after the same time for every address, so that visitors cannot learn which addresses have a user.
 * A mail notifies the user who has the address.
 */
export async function submitChangeEmail(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  const typed = visit.form.get("email") ?? "";
  const email = readEmail(visit.form);
  if ("fault" in email) {
    return changePage(visit, user, typed, { faults: { email: email.fault } });
  }
  if (foldEmail(email.value) === foldEmail(user.email)) {
    return changePage(visit, user, typed, { faults: { email: "This is your address already." } });
  }
  const verdict = await deps.throttle.mail({ email: email.value, address: visit.req.ip });
  if (verdict.kind !== "allowed") {
    return changePage(visit, user, typed, refuse(verdict, tooManyMails));
  }
  deps.afterwards.do(() => mailLink(deps, { email: email.value, userId: user.id }));
  return checkYourMail(email.value, "a link to confirm the address");
}

async function mailLink(deps: PageDeps, { email, userId }: { email: string; userId: string }): Promise<void> {
  await deps.platform.transaction(async ({ auth, mails }) => {
    if (await auth.users.findByEmail(email)) {
      await mails.queue(email, { kind: "sign_up_known", url: mailedUrl(deps, "/sign-in") });
      return;
    }
    const token = await auth.mailLinks.create({ purpose: "email_change", email, personId: null, userId });
    await mails.queue(email, { kind: "email_change", url: mailedUrl(deps, "/account/email/confirm", { token }) });
  });
}

/** The page behind the link of the mail. Viewing it does not use up the link. */
export async function showConfirmEmail(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { token, email } = await findOwnLink(visit, deps, visit.query.get("token"));
  return formPage(visit, {
    title: "Use your new address?",
    lead: html`<p>You sign in with <strong>${email}</strong> from now on. All other devices will be signed out.</p>`,
    action: "/account/email/confirm",
    hidden: { token },
    buttons: ["Use this address", html`<a class="button quiet" href="/account">Keep the old one</a>`],
  });
}

/** Notifies the former address by mail, and revokes the password reset links that were sent there. */
export async function submitConfirmEmail(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const { token, email } = await findOwnLink(visit, deps, visit.form.get("token"));
  const { id: userId, email: before } = await userOf(visit, deps);
  await deps.platform.transaction(async ({ accounts, auth, mails }) => {
    if (!(await auth.mailLinks.use(token, "email_change")) || !(await auth.users.changeEmail({ userId, email }))) {
      throw linkIsOver("email_change");
    }
    await accounts.people.moveAddress({ userId, from: before, to: email });
    await auth.sessions.endAll({ userId, exceptId: visit.session.sessionId });
    await auth.mailLinks.revoke({ email: before, purpose: "password_reset" });
    await mails.queue(before, { kind: "email_changed", url: mailedUrl(deps, "/account/email") });
  });
  deps.devices.remember(visit.res, { browser: visit.browser, email });
  return redirect(withNotice("/account", "email-changed"));
}

/**
 * Finds the link of the user who requested it. A user who is talked into opening another user's link keeps their
 * address.
 */
async function findOwnLink(
  { session }: SignedInVisit,
  deps: PageDeps,
  fromPage: string | null,
): Promise<{ token: string; email: string }> {
  const { token, link } = await findLink(deps, fromPage, "email_change");
  if (link.userId !== session.userId) {
    throw new Refusal(403, {
      title: "This link is for another user",
      message: "Sign out, sign in as the user who asked for the new address, then open the link again.",
      waysOn: [{ label: "Sign out", href: "/sign-out" }],
    });
  }
  return { token, email: link.email };
}

function changePage(visit: SignedInVisit, user: User, typed: string, problem?: FormProblem): PageContent {
  const form = {
    title: "Change your e-mail address",
    lead: html`<p>You sign in with <strong>${user.email}</strong>. We send a link to the new address.</p>`,
    action: "/account/email",
    fields: [{ ...emailField, label: "New e-mail address", value: typed, isFirst: true }],
    buttons: ["Send me the link"],
    after: backToAccount,
  };
  return formPage(visit, form, problem);
}
