import { html, type Html } from "../views/html.ts";
import { emailField } from "./known-fields.ts";
import type { Form } from "../browser/read-form.ts";
import type { Read } from "./fields.ts";
import { formPage, type FormProblem } from "./form-page.ts";
import { readNextPage } from "./next-page.ts";
import { page, type PageAnswer, type PageContent, type PageDeps, type Visit } from "./page.ts";
import { refuse, tellLimit } from "./tries.ts";

export const tooManyMails = "Too many e-mails were requested. Wait %s, then try again.";

export type AddressPage = {
  title: string;
  lead: string;
  action: string;
  otherWays(next: string | null): Html;
  readAddress(form: Form): Read;
  /** Sends the mail for this address. It runs after the response, which is the same for every address. */
  mailLink(deps: PageDeps, to: { email: string; next: string | null }): Promise<void>;
  /** The text of the response, whether or not a mail was sent. */
  sent: string;
};

export function createAddressPage(of: AddressPage) {
  return {
    show: async (visit: Visit): Promise<PageAnswer> =>
      addressPage(visit, of, { next: readNextPage(visit.query.get("next")) }),
    submit: (visit: Visit, deps: PageDeps): Promise<PageAnswer> => submitAddressPage(visit, deps, of),
  };
}

/**
 * Responds alike and after the same time for every address, so that visitors cannot learn which addresses have a user.
 */
async function submitAddressPage(visit: Visit, deps: PageDeps, of: AddressPage): Promise<PageAnswer> {
  const next = readNextPage(visit.form.get("next"));
  const email = of.readAddress(visit.form);
  const typed = visit.form.get("email") ?? "";
  if ("fault" in email) {
    return addressPage(visit, of, { next, email: typed }, { faults: { email: email.fault } });
  }
  const verdict = tellLimit(visit, await deps.throttle.mail({ email: email.value, address: visit.req.ip }));
  if (verdict.kind !== "allowed") {
    return addressPage(visit, of, { next, email: typed }, refuse(verdict, tooManyMails));
  }
  deps.afterwards.do(() => of.mailLink(deps, { email: email.value, next }));
  return checkYourMail(email.value, of.sent);
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

function addressPage(
  visit: Visit,
  { title, lead, action, otherWays }: AddressPage,
  { next, email = "" }: { next: string | null; email?: string },
  problem?: FormProblem,
): PageContent {
  const form = {
    title,
    lead: html`<p>${lead}</p>`,
    action,
    hidden: { next },
    fields: [{ ...emailField, value: email, isFirst: true }],
    buttons: ["Send me the link"],
    after: html`<nav class="links" aria-label="Other ways in">
      <p>${otherWays(next)}</p>
    </nav>`,
  };
  return formPage(visit, form, problem);
}
