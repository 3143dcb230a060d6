import { html } from "../views/html.ts";
import { formPage } from "./form-page.ts";
import { withNotice } from "./notices.ts";
import { redirect, type PageAnswer, type PageDeps, type Visit } from "./page.ts";

/** A page with a button: a link that signs out could be an image on any page. */
export async function showSignOut(visit: Visit): Promise<PageAnswer> {
  return visit.session
    ? formPage(visit, {
        title: "Sign out?",
        lead: html`<p>Applications that you have connected stay connected.</p>`,
        action: "/sign-out",
        buttons: ["Sign out", html`<a class="button quiet" href="/account">Stay signed in</a>`],
      })
    : redirect("/sign-in");
}

export async function submitSignOut({ req, res }: Visit, { sessions }: PageDeps): Promise<PageAnswer> {
  await sessions.end(req, res);
  return redirect(withNotice("/sign-in", "signed-out"));
}
