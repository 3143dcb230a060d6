import type { User } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Field } from "../views/form.ts";
import { html } from "../views/html.ts";
import { readAccountName } from "./fields.ts";
import { firstKeyPath } from "./first-key.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { findLink, linkIsOver } from "./mailed-link.ts";
import { newUserFields, readNewUser } from "./new-user-form.ts";
import { readNextPage } from "./next-page.ts";
import { withNotice } from "./notices.ts";
import { startSession } from "./sign-in-attempt.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";

/** The page behind the link of the mail. Viewing it does not use up the link. */
export async function showFinishSignUp(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { token, link } = await findLink(deps, visit.query.get("token"), "sign_up");
  return finishPage(visit, { token, email: link.email, next: readNextPage(visit.query.get("next")) });
}

/** Creates the user, the account and the user's place in it in one transaction, which also uses up the link. */
export async function submitFinishSignUp(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const { form } = visit;
  const { token, link } = await findLink(deps, form.get("token"), "sign_up");
  const next = readNextPage(form.get("next"));
  const read = readNewUser(form, link);
  const accountName = readAccountName(form);
  if ("faults" in read || "fault" in accountName) {
    const faults = {
      ...("faults" in read && read.faults),
      ...("fault" in accountName && { "account-name": accountName.fault }),
    };
    const typed = { name: form.get("name") ?? "", accountName: form.get("account-name") ?? "" };
    return finishPage(visit, { token, email: link.email, next, ...typed }, { faults });
  }
  const passwordHash = await deps.passwords.hash(read.password);
  const created = await deps.platform.transaction(async (services) => {
    const used = await services.auth.mailLinks.use(token, "sign_up");
    const { name } = read;
    return (
      used && createUserWithAccount(services, { email: used.email, name, accountName: accountName.value, passwordHash })
    );
  });
  if (!created) {
    throw linkIsOver("sign_up");
  }
  const { user, accountId } = created;
  await startSession(visit, deps, { user, method: "link" });
  return redirect(next ?? withNotice(accountId === null ? "/account" : firstKeyPath(accountId), "welcome"));
}

/**
 * Null when the address already has a user. An existing account for this address without an owner gets its owner and
 * the new name, and a second account is not created.
 */
async function createUserWithAccount(
  { accounts, auth }: Services,
  { accountName, ...who }: { email: string; name: string; accountName: string | null; passwordHash: string },
): Promise<{ user: User; accountId: string | null } | null> {
  const { email, name } = who;
  const user = await auth.users.create(who);
  if (!user) {
    return null;
  }
  const account =
    (await accounts.create({ email, tier: "explorer", requestsPerMinute: null, name: accountName ?? name })) ??
    (await accounts.findByEmail(email));
  const owner = account && (await accounts.people.createOwner({ accountId: account.id, userId: user.id, email }));
  if (owner && accountName !== null) {
    await accounts.rename({ id: account.id, name: accountName });
  }
  await auth.mailLinks.revoke({ email, purpose: "sign_up" });
  return { user, accountId: owner ? account.id : null };
}

function finishPage(
  visit: Visit,
  view: { token: string; email: string; next: string | null; name?: string; accountName?: string },
  problem?: FormProblem,
): PageContent {
  const { token, email, next, name = "", accountName } = view;
  const accountField: Field = {
    ...{ name: "account-name", label: "Name of your account (optional)", autocomplete: "organization" },
    hint: "People recognize the account by this name, such as the name of your company. If you leave it empty, the account gets your name.",
    ...{ value: accountName, isOptional: true },
  };
  const form = {
    title: "Finish your account",
    lead: html`<p>Your address is confirmed. Choose a name and a password.</p>`,
    action: "/sign-up/finish",
    hidden: { token, next },
    fields: newUserFields({ email, name, more: [accountField] }),
    buttons: ["Create account"],
  };
  return formPage(visit, form, problem);
}
