import { renderButton, renderField, renderForm, type Faults } from "../views/form.ts";
import { html } from "../views/html.ts";
import { readKnownEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import { leadingTo, readNextPage } from "./next-page.ts";
import { page, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { refuse } from "./refuse-try.ts";
import { checkYourMail } from "./sign-up.ts";
import { tellLimit } from "./tell-limit.ts";

export async function showForgottenPassword(visit: Visit): Promise<PageAnswer> {
  return forgottenPage(visit, { next: readNextPage(visit.query.get("next")) });
}

/** The same answer whether or not the address has a user, and at the same time: it is looked up afterwards. */
export async function submitForgottenPassword(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const next = readNextPage(visit.form.get("next"));
  const email = readKnownEmail(visit.form);
  const typed = visit.form.get("email") ?? "";
  if ("fault" in email) {
    return forgottenPage(visit, { next, email: typed, faults: { email: email.fault }, status: 422 });
  }
  const verdict = tellLimit(visit, await deps.throttle.mail({ email: email.value, address: visit.req.ip }));
  if (verdict.kind !== "allowed") {
    const refused = refuse(verdict, "Too many mails were asked for. Wait %s, then try again.");
    return forgottenPage(visit, { next, email: typed, ...refused });
  }
  deps.afterwards.do(() => mailLink(deps, { email: email.value, next }));
  return checkYourMail(email.value, "a link to choose a new password, if there is a user with this address,");
}

async function mailLink(deps: PageDeps, { email, next }: { email: string; next: string | null }): Promise<void> {
  await deps.platform.transaction(async ({ auth, mails }) => {
    const user = await auth.users.findByEmail(email);
    if (user) {
      const token = await auth.mailLinks.create({ purpose: "password_reset", email: user.email, personId: null });
      const url = mailedUrl(deps, "/password/reset", { token, next });
      await mails.queue(user.email, { kind: "password_reset", url });
    }
  });
}

function forgottenPage(
  { csrf }: Visit,
  view: { next: string | null; email?: string; faults?: Faults; status?: number; retryAfterSeconds?: number },
): PageContent {
  const { next, email = "", faults, ...answer } = view;
  return page({
    title: "Forgotten password",
    ...answer,
    body: html`<p>Enter the e-mail address that you sign in with. We send you a link to choose a new password.</p>
      ${renderForm({
        action: "/password/forgotten",
        csrf,
        hidden: { next },
        faults,
        body: html`${renderField({
            name: "email",
            label: "E-mail address",
            type: "email",
            value: email,
            autocomplete: "email",
            faults,
            isFirst: true,
          })}
          <div class="buttons">${renderButton({ label: "Send me the link" })}</div>`,
      })}
      <nav class="links" aria-label="Other ways in">
        <p><a href="${leadingTo("/sign-in", next)}">Back to signing in</a></p>
      </nav>`,
  });
}
