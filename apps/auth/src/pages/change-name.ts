import { html } from "../views/html.ts";
import { backToAccount } from "../views/links.ts";
import { readName } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { withNotice } from "./notices.ts";
import { redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";

export async function showChangeName(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return namePage(visit, (await userOf(visit, deps)).name);
}

export async function submitChangeName(visit: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  const name = readName(visit.form);
  if ("fault" in name) {
    return namePage(visit, visit.form.get("name") ?? "", { faults: { name: name.fault } });
  }
  await platform.auth.users.rename({ userId: visit.session.userId, name: name.value });
  return redirect(withNotice("/account", "name-changed"));
}

function namePage(visit: SignedInVisit, name: string, problem?: FormProblem): PageContent {
  const form = {
    title: "Change your name",
    lead: html`<p>Other people in your accounts see it, and so do applications that you allow to.</p>`,
    action: "/account/name",
    fields: [{ name: "name", label: "Your name", value: name, autocomplete: "name", isFirst: true }],
    buttons: ["Change name"],
    after: backToAccount,
  };
  return formPage(visit, form, problem);
}
