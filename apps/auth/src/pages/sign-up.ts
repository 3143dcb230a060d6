import { renderButton, renderField, renderForm, type Faults } from "../views/form.ts";
import { html } from "../views/html.ts";
import { readEmail } from "./fields.ts";
import { mailedUrl } from "./mailed-link.ts";
import { leadingTo, readNextPage } from "./next-page.ts";
import { page, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { refuse } from "./refuse-try.ts";
import { tellLimit } from "./tell-limit.ts";

/** An account begins with a mail, so that every address is its user's. */
export async function showSignUp(visit: Visit): Promise<PageAnswer> {
  return signUpPage(visit, { next: readNextPage(visit.query.get("next")) });
}

/** The same answer for every address, after the same time: who has a user here is nobody's business. The mail tells its owner. */
export async function submitSignUp(visit: Visit, deps: PageDeps): Promise<PageAnswer> {
  const next = readNextPage(visit.form.get("next"));
  const email = readEmail(visit.form);
  const typed = visit.form.get("email") ?? "";
  if ("fault" in email) {
    return signUpPage(visit, { next, email: typed, faults: { email: email.fault }, status: 422 });
  }
  const verdict = tellLimit(visit, await deps.throttle.mail({ email: email.value, address: visit.req.ip }));
  if (verdict.kind !== "allowed") {
    const refused = refuse(verdict, "Too many mails were asked for. Wait %s, then try again.");
    return signUpPage(visit, { next, email: typed, ...refused });
  }
  deps.afterwards.do(() => mailLink(deps, { email: email.value, next }));
  return checkYourMail(email.value, "a link to create your account");
}

async function mailLink(deps: PageDeps, { email, next }: { email: string; next: string | null }): Promise<void> {
  await deps.platform.transaction(async ({ auth, mails }) => {
    const user = await auth.users.findByEmail(email);
    if (user) {
      await mails.queue(user.email, { kind: "sign_up_known", url: mailedUrl(deps, "/sign-in", { next }) });
      return;
    }
    const token = await auth.mailLinks.create({ purpose: "sign_up", email, personId: null });
    await mails.queue(email, { kind: "sign_up", url: mailedUrl(deps, "/sign-up/finish", { token, next }) });
  });
}

export function checkYourMail(email: string, what: string): PageContent {
  return page({
    title: "Check your mail",
    body: html`<p>We have sent ${what} to <strong>${email}</strong>. It works once.</p>
      <p class="hint">
        Nothing there after a few minutes? Look in your spam folder, and check that the address is right.
      </p>`,
  });
}

function signUpPage(
  { csrf }: Visit,
  view: { next: string | null; email?: string; faults?: Faults; status?: number; retryAfterSeconds?: number },
): PageContent {
  const { next, email = "", faults, ...answer } = view;
  return page({
    title: "Create your account",
    ...answer,
    body: html`<p>Enter your e-mail address. We send you a link to go on with.</p>
      ${renderForm({
        action: "/sign-up",
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
        <p>You have an account? <a href="${leadingTo("/sign-in", next)}">Sign in</a></p>
      </nav>`,
  });
}
