import type { Services, User } from "@gateway/platform";
import type { Faults } from "../views/form.ts";
import { html } from "../views/html.ts";
import { findLink, linkIsOver } from "./mailed-link.ts";
import { readNewUser, renderNewUserForm } from "./new-user-form.ts";
import { readNextPage } from "./next-page.ts";
import { withNotice } from "./notices.ts";
import { startSession } from "./sign-in-attempt.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";

/** Behind the link of the mail. Looking at it uses nothing. */
export async function showFinishSignUp(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { token, link } = await findLink(deps, visit.query.get("token"), "sign_up");
  return finishPage(visit, { token, email: link.email, next: readNextPage(visit.query.get("next")) });
}

/** User, account and the user's place in it come into being together, and the link is used up with them. */
export async function submitFinishSignUp(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { form } = visit;
  const { token, link } = await findLink(deps, form.get("token"), "sign_up");
  const next = readNextPage(form.get("next"));
  const read = readNewUser(form, link);
  if ("faults" in read) {
    return finishPage(visit, { token, email: link.email, next, name: form.get("name") ?? "", faults: read.faults });
  }
  const passwordHash = await deps.passwords.hash(read.password);
  const user = await deps.platform.transaction(async (services) => {
    const used = await services.auth.mailLinks.use(token, "sign_up");
    return used && createUserWithAccount(services, { email: used.email, name: read.name, passwordHash });
  });
  if (!user) {
    throw linkIsOver("sign_up");
  }
  await startSession(visit, deps, { user, method: "link" });
  return redirect(next ?? withNotice("/account", "welcome"));
}

/**
 * Null when the address has a user by now. An account that stands for this address already and that nobody has joined, made by an
 * operator or of the time before users, gets its owner instead of a second account beside it.
 */
async function createUserWithAccount(
  { accounts, auth }: Services,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<User | null> {
  const user = await auth.users.create({ email, name, passwordHash });
  if (!user) {
    return null;
  }
  const account =
    (await accounts.create({ email, tier: "explorer", requestsPerMinute: null })) ??
    (await accounts.findByEmail(email));
  if (account) {
    await accounts.people.createOwner({ accountId: account.id, userId: user.id, email });
  }
  await auth.mailLinks.revoke({ email, purpose: "sign_up" });
  return user;
}

function finishPage(
  { csrf }: Visit,
  view: { token: string; email: string; next: string | null; name?: string; faults?: Faults },
): PageContent {
  const { token, email, next, name = "", faults } = view;
  return page({
    title: "Finish your account",
    status: faults ? 422 : 200,
    body: html`<p>Your address is confirmed. Choose a name and a password.</p>
      ${renderNewUserForm({ action: "/sign-up/finish", csrf, hidden: { token, next }, email, name, button: "Create account", faults })}`,
  });
}
