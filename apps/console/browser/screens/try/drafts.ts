import type { Json, OperationForm } from "../../../src/build/form-schema.ts";
import type { SessionInfo } from "../../data/session.ts";
import { withoutSecrets } from "./form-values.ts";

/** What stands in a form: texts by the names of parameters, and the body. */
export type Draft = { parameters: Readonly<Record<string, string>>; body: Json | undefined };

/** Names one piece of work, and is of no use to the next one. */
const passing = "Idempotency-Key";

/** Keeps what was typed over a reload of this tab, for this person and account. Write-only values are not kept. */
export function keepDraft(session: SessionInfo, operationId: string, form: OperationForm, draft: Draft): void {
  const parameters = Object.entries(draft.parameters).filter(([name]) => name !== passing);
  const body = form.body === null ? undefined : withoutSecrets(form.body.schema, draft.body);
  try {
    sessionStorage.setItem(
      nameOf(session, operationId),
      JSON.stringify({ parameters: Object.fromEntries(parameters), body }),
    );
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
  }
}

export function forgetDraft(session: SessionInfo, operationId: string): void {
  try {
    sessionStorage.removeItem(nameOf(session, operationId));
  } catch {
    // Nothing was kept.
  }
}

/** What was kept, otherwise the document's example; parameters that the address names come before both. */
export function beginDraft(
  session: SessionInfo,
  operationId: string,
  form: OperationForm,
  address: Readonly<Record<string, string | undefined>>,
): Draft {
  const kept = readDraft(session, operationId);
  const start = exampleDraft(form);
  const parameters = { ...start.parameters, ...kept?.parameters };
  for (const { name, in: place } of form.parameters) {
    const given = place === "header" ? undefined : address[name];
    if (given !== undefined) {
      parameters[name] = given;
    }
  }
  return { parameters, body: kept === null ? start.body : kept.body };
}

/** What has to be there has its example; what may be left out is, and shows its example where nothing is typed. */
export function exampleDraft({ parameters, body }: OperationForm): Draft {
  return {
    parameters: Object.fromEntries(
      parameters
        .filter(({ isRequired, name }) => isRequired && name !== passing)
        .map(({ name, example }) => [name, example]),
    ),
    body: body?.examples[0]?.value ?? (body?.isRequired ? {} : undefined),
  };
}

function readDraft(session: SessionInfo, operationId: string): Draft | null {
  try {
    // Only `keepDraft` writes it.
    const kept = JSON.parse(sessionStorage.getItem(nameOf(session, operationId)) ?? "null") as Draft | null;
    return kept === null ? null : { parameters: kept.parameters, body: kept.body };
  } catch {
    return null;
  }
}

function nameOf({ account, person }: SessionInfo, operationId: string): string {
  return `console.try.${account.id}.${person.id}.${operationId}`;
}
