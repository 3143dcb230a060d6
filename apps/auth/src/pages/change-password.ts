import type { User } from "@gateway/platform/auth";
import { html } from "../views/html.ts";
import { newPasswordField, passwordField } from "./known-fields.ts";
import { readNewPassword } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { mailedUrl } from "./mailed-link.ts";
import { withNotice } from "./notices.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { disconnectChoice } from "./reset-password.ts";
import { refuse, tellLimit } from "./tries.ts";
import { checkPassword } from "./sign-in-attempt.ts";
import { userOf } from "./signed-in.ts";

export async function showChangePassword(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return changePage(visit, await userOf(visit, deps));
}

export async function submitChangePassword(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  const user = await userOf(visit, deps);
  const { form, req } = visit;
  const password = readNewPassword(form, user);
  if ("fault" in password) {
    return changePage(visit, user, { faults: { "new-password": password.fault } });
  }
  const device = deps.devices.nameOf(req, user.email);
  const verdict = tellLimit(visit, await deps.throttle.password({ email: user.email, address: req.ip, device }));
  if (verdict.kind !== "allowed") {
    const text = "Too many attempts with a wrong password. Wait %s, then try again.";
    return changePage(visit, user, refuse(verdict, text));
  }
  if (!(await checkPassword(deps, { user, password: form.get("password") ?? "" }))) {
    return changePage(visit, user, { faults: { password: "This is not your current password." } });
  }
  await verdict.giveBack();
  const passwordHash = await deps.passwords.hash(password.value);
  await setPassword(visit, deps, { user, passwordHash, disconnects: form.get("disconnect") === "yes" });
  return redirect(withNotice("/account", "password-changed"));
}

async function setPassword(
  { session }: SignedInVisit,
  deps: PageDeps,
  { user, passwordHash, disconnects }: { user: User; passwordHash: string; disconnects: boolean },
): Promise<void> {
  await deps.platform.transaction(async ({ auth, accounts, mails }) => {
    await auth.users.changePassword({ userId: user.id, passwordHash });
    await auth.sessions.endAll({ userId: user.id, exceptId: session.sessionId });
    if (disconnects) {
      await accounts.grants.revokeAll({ userId: user.id });
    }
    await mails.queue(user.email, { kind: "password_changed", url: mailedUrl(deps, "/password/forgotten") });
  });
}

function changePage(visit: SignedInVisit, user: User, problem?: FormProblem): PageContent {
  const form = {
    title: "Change your password",
    lead: html`<p>All other devices will be signed out.</p>`,
    action: "/account/password",
    fields: [
      html`<input type="hidden" name="username" value="${user.email}" autocomplete="username" />`,
      { ...passwordField, label: "Current password", isFirst: true },
      newPasswordField,
      disconnectChoice,
    ],
    buttons: ["Change password"],
    after: html`<nav class="links" aria-label="Other ways on">
      <p><a href="/password/forgotten">Forgotten your password?</a></p>
      <p><a href="/account">Back to your account</a></p>
    </nav>`,
  };
  return formPage(visit, form, problem);
}
