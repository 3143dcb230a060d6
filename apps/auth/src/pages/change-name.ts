import { renderForm, type Faults } from "../views/form.ts";
import { html } from "../views/html.ts";
import { backToAccount } from "../views/links.ts";
import { readName } from "./fields.ts";
import { withNotice } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageContent, type PageDeps, type SignedInVisit } from "./page.ts";
import { userOf } from "./signed-in.ts";

export async function showChangeName(visit: SignedInVisit, deps: PageDeps): Promise<PageAnswer> {
  return namePage(visit, { name: (await userOf(visit, deps)).name });
}

export async function submitChangeName(visit: SignedInVisit, { platform }: PageDeps): Promise<PageAnswer> {
  const name = readName(visit.form);
  if ("fault" in name) {
    return namePage(visit, { name: visit.form.get("name") ?? "", faults: { name: name.fault } });
  }
  await platform.auth.users.rename({ userId: visit.session.userId, name: name.value });
  return redirect(withNotice("/account", "name-changed"));
}

function namePage({ csrf }: SignedInVisit, { name, faults }: { name: string; faults?: Faults }): PageContent {
  return page({
    title: "Change your name",
    status: faults ? 422 : 200,
    body: html`<p>Other people in your accounts see it, and so do applications that you allow to.</p>
      ${renderForm({
        action: "/account/name",
        csrf,
        faults,
        fields: [{ name: "name", label: "Your name", value: name, autocomplete: "name", isFirst: true }],
        buttons: ["Change name"],
      })}
      ${backToAccount}`,
  });
}
