import { renderForm, type Faults, type FormView } from "../views/form.ts";
import { html, type Html } from "../views/html.ts";
import { page, type PageContent, type Visit } from "./page.ts";

/** Why a form is shown again. The status is 422 when only the faults are given. */
export type FormProblem = { faults?: Faults | undefined; status?: number; retryAfterSeconds?: number };

type FormPage = Omit<FormView, "csrf" | "faults"> & {
  title: string;
  notice?: string | undefined;
  lead?: Html;
  after?: Html | undefined;
};

/** A page around one form. */
export function formPage(
  { csrf }: Visit,
  { title, notice, lead, after, ...form }: FormPage,
  { faults, status = faults ? 422 : 200, ...answer }: FormProblem = {},
): PageContent {
  const body = html`${lead} ${renderForm({ ...form, csrf, faults })} ${after}`;
  return page({ title, notice, status, ...answer, body });
}
