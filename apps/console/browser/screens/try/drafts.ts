import type { Json, OperationForm } from "../../../src/build/form-schema.ts";
import type { SessionInfo } from "../../data/session.ts";
import { withoutSecrets } from "./form-values.ts";

/** The values of a form: strings by the names of parameters, and the body. */
export type Draft = { parameters: Readonly<Record<string, string>>; body: Json | undefined };

/** A header that names one piece of work, and is useless for the next one. */
const passing = "Idempotency-Key";

/** Keeps the typed values over a reload of this tab, for this person and account. Write-only values are not kept. */
export function keepDraft(session: SessionInfo, operationId: string, form: OperationForm, draft: Draft): void {
  const parameters = Object.entries(draft.parameters).filter(([name]) => name !== passing);
  const body = form.body === null ? undefined : withoutSecrets(form.body.schema, draft.body);
  try {
    sessionStorage.setItem(
      nameOf(session, operationId),
      JSON.stringify({ parameters: Object.fromEntries(parameters), body }),
    );
  } catch {
    // The browser does not store anything, so the draft holds until the page is left.
  }
}

export function forgetDraft(session: SessionInfo, operationId: string): void {
  try {
    sessionStorage.removeItem(nameOf(session, operationId));
  } catch {
    // Nothing was kept.
  }
}

/** The kept draft, otherwise the document's example. Parameters in the address take precedence over both. */
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

/**
 * Required values begin with their example. Optional ones are left out, and show their example while the field is
 * empty.
 */
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
