import { renderForm } from "../views/form.ts";
import { html } from "../views/html.ts";
import { withNotice } from "./notices.ts";
import { page, redirect, type PageAnswer, type PageDeps, type Visit } from "./page.ts";

/** A page with a button: a link that signs out could be an image on any page. */
export async function showSignOut(visit: Visit): Promise<PageAnswer> {
  return visit.session
    ? page({
        title: "Sign out?",
        body: html`<p>Applications that you have connected stay connected.</p>
          ${renderForm({ action: "/sign-out", csrf: visit.csrf, buttons: ["Sign out", html`<a class="button quiet" href="/account">Stay signed in</a>`] })}`,
      })
    : redirect("/sign-in");
}

export async function submitSignOut({ req, res }: Visit, { sessions }: PageDeps): Promise<PageAnswer> {
  await sessions.end(req, res);
  return redirect(withNotice("/sign-in", "signed-out"));
}
