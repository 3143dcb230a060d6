import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type FormEvent } from "react";
import type { FormParameter, FormSchema, OperationForm } from "../../../src/build/form-schema.ts";
import type { Call, OperationId, OperationRow } from "../../data/calls.ts";
import { CodeOf } from "../../parts/shown/as-code.tsx";
import { Modal } from "../../parts/dialog/modal.tsx";
import { useSession, useWhyNot } from "../../parts/page/session-context.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { AnswerView } from "./answer.tsx";
import { BodyEditor, faultOfJson, type BodyState } from "./body-editor.tsx";
import { beginDraft, exampleDraft, forgetDraft, keepDraft } from "./drafts.ts";
import { fieldNameOf, partsOf, valueOfText, type Place } from "./form-values.ts";
import { ParameterFields } from "./parameter-fields.tsx";
import { sendTry, type TryAnswer } from "./try-call.ts";
import { isDestructive } from "./what-asks.ts";

type Options = { operationId: OperationId; row: OperationRow; form: OperationForm };

const keyHeader = "Idempotency-Key";

/** The form of one operation, its code, and the response. Only a press on its button sends the request. */
export function OperationFormView(options: Options) {
  const { operationId, row, form } = options;
  const typed = useTyped(options);
  const { values, body, call } = typed;
  const sending = useSending(row, typed);
  const { state, setState, answer } = sending;
  const [isTried, setIsTried] = useState(false);
  const reason = useReason(operationId, row);
  const missing = form.parameters.filter(
    ({ name, isRequired, in: place }) => isRequired && place === "path" && !values[name],
  );
  const refused = answer?.fault?.details ?? [];
  const issue = "must have a value: it is part of the address";
  const faults = [...(isTried ? missing.map(({ name }) => ({ field: name, issue })) : []), ...refused];
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    const isJson = body.text === null || faultOfJson(body.text) === null;
    if (reason !== null || state !== "idle" || missing.length > 0 || !isJson) {
      return;
    }
    if (isDestructive(operationId, row)) {
      setState("asking");
    } else {
      void sending.send();
    }
  };
  const reset = (): void => {
    typed.reset();
    sending.forget();
    setIsTried(false);
  };
  const fieldsIn = (place: FormParameter["in"]) => ({
    ...{ values, faults, onChange: typed.change },
    parameters: form.parameters.filter((one) => one.in === place),
  });
  return (
    <div className="try-columns">
      <form className="try-form" onSubmit={onSubmit} noValidate aria-label="Request">
        <ParameterFields title="Path" {...fieldsIn("path")} />
        <ParameterFields title="Query" {...fieldsIn("query")} />
        {form.body && <BodyEditor body={form.body} state={body} faults={faults} onChange={typed.setBody} />}
        <ParameterFields
          title="Headers"
          {...fieldsIn("header")}
          beside={(name) => name === keyHeader && <LastKey last={sending.lastKey} typed={typed} />}
        />
        <SendBar {...options} reason={reason} isSending={state === "sending"} reset={reset} />
      </form>
      <div className="try-side">
        <div ref={sending.place} aria-live="polite">
          {answer && (
            <AnswerView answer={answer} unplaced={refused.filter((one) => !hasField(one.field, form, body))} />
          )}
        </div>
        <section aria-label="Code">
          <h2>Code</h2>
          <CodeOf call={call} />
        </section>
      </div>
      {state === "asking" && (
        <Confirm row={row} values={values} onClose={() => setState("idle")} send={() => void sending.send()} />
      )}
    </div>
  );
}

function useTyped({ operationId, row, form }: Options) {
  const session = useSession();
  const [address] = useUrlState();
  const [begun] = useState(() => beginDraft(session, operationId, form, address));
  const [texts, setTexts] = useState(begun.parameters);
  const [body, setBody] = useState<BodyState>({ value: begun.body, text: null });
  const [key, setKey] = useState(() => (row.idempotencyKey ? crypto.randomUUID() : ""));
  useEffect(() => {
    keepDraft(session, operationId, form, { parameters: texts, body: body.value });
  }, [session, operationId, form, texts, body]);
  const values: Readonly<Record<string, string>> = { ...texts, ...(key !== "" && { [keyHeader]: key }) };
  const change = (name: string, text: string): void =>
    name === keyHeader ? setKey(text) : setTexts((all) => ({ ...all, [name]: text }));
  const reset = (): void => {
    forgetDraft(session, operationId);
    const { parameters, body: example } = exampleDraft(form);
    setTexts(parameters);
    setBody({ value: example, text: null });
  };
  return { values, body, setBody, key, setKey, change, reset, call: callOf(operationId, form, values, body) };
}

type Typed = ReturnType<typeof useTyped>;

function useSending({ idempotencyKey, method }: OperationRow, { call, key, setKey }: Typed) {
  const queries = useQueryClient();
  const [state, setState] = useState<"idle" | "asking" | "sending">("idle");
  const [answer, setAnswer] = useState<TryAnswer | null>(null);
  const [lastKey, setLastKey] = useState<string | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const send = async (): Promise<void> => {
    setState("sending");
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const answered = await sendTry(call, signal);
    if (signal.aborted) {
      return;
    }
    setAnswer(answered);
    setState("idle");
    // Without a final response the key stays the same, so that sending again acts once.
    if (idempotencyKey && answered.status !== null && answered.status < 500) {
      setLastKey(key);
      setKey(crypto.randomUUID());
    }
    if (method !== "get") {
      void queries.invalidateQueries({ queryKey: ["api"] });
    }
    place.current?.scrollIntoView({ block: "nearest" });
  };
  return { state, setState, answer, lastKey, place, send, forget: () => setAnswer(null) };
}

function LastKey({ last, typed: { key, setKey } }: { last: string | null; typed: Typed }) {
  return last === null || last === key ? null : (
    <button type="button" className="button small quiet" onClick={() => setKey(last)}>
      Use the last one again
    </button>
  );
}

type SendOptions = Options & { reason: string | null; isSending: boolean; reset(): void };

function SendBar({ operationId, row, reason, isSending, reset }: SendOptions) {
  return (
    <div className="try-send">
      <button
        type="submit"
        className={isDestructive(operationId, row) ? "button danger" : "button primary"}
        aria-disabled={reason !== null || isSending}
        title={reason ?? undefined}
        aria-description={reason ?? undefined}
      >
        {isSending ? "Sending…" : `Send ${row.method.toUpperCase()}`}
      </button>
      <button type="button" className="button quiet" onClick={reset}>
        Back to the example
      </button>
      <span className="hint">
        {reason ?? "It is sent as you, counts against the limit of your tier, and shows in the request log and usage."}
      </span>
    </div>
  );
}

type ConfirmOptions = { row: OperationRow; values: Typed["values"]; onClose(): void; send(): void };

function Confirm({ row: { method, summary, path }, values, onClose, send }: ConfirmOptions) {
  return (
    <Modal title={`Send ${method.toUpperCase()}?`} onClose={onClose}>
      <div className="dialog-text">
        <p>{summary}: this cannot be taken back by pressing again.</p>
        <p>
          <code className="break">
            {method.toUpperCase()} {filledPath(path, values)}
          </code>
        </p>
      </div>
      <footer className="dialog-footer">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button danger" onClick={send}>
          Send it
        </button>
      </footer>
    </Modal>
  );
}

function useReason(operationId: OperationId, { method, sandboxOnly }: OperationRow): string | null {
  const { environment } = useSession();
  const role = useWhyNot(operationId);
  if (environment === "production" && sandboxOnly) {
    return "This operation exists only in the sandbox.";
  }
  if (environment === "production" && method !== "get") {
    return "In production, only reads can be tried. Use the sandbox, or the screen for this operation.";
  }
  return role;
}

function callOf(
  operationId: OperationId,
  { parameters, body }: OperationForm,
  values: Readonly<Record<string, string>>,
  { value }: BodyState,
): Call {
  const given = parameters.filter(({ name }) => (values[name] ?? "") !== "");
  const of = (place: FormParameter["in"]) => given.filter((one) => one.in === place);
  const key = values[keyHeader];
  return {
    operationId,
    path: Object.fromEntries(of("path").map(({ name }) => [name, values[name] ?? ""])),
    // Parameters of a query are single values.
    query: Object.fromEntries(
      of("query").map(({ name, schema }) => [
        name,
        valueOfText(schema, values[name] ?? "") as string | number | boolean,
      ]),
    ),
    ...(body !== null && value !== undefined && { body: value }),
    ...(key && { idempotencyKey: key }),
  };
}

function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] || `{${name}}`);
}

function hasField(field: string, { parameters, body }: OperationForm, { value, text }: BodyState): boolean {
  if (parameters.some(({ name }) => name === field)) {
    return true;
  }
  return body !== null && text === null && shownFields(body.schema, value).has(field);
}

/** The fields of a body that the form shows: those with a value, and the further ones that its objects may have. */
function shownFields(schema: FormSchema, value: BodyState["value"], place: Place = []): Set<string> {
  const within = partsOf(schema, value).flatMap((part) => [
    ...shownFields(part.schema, part.value, [...place, part.step]),
  ]);
  return new Set([fieldNameOf(place) || "body", ...within]);
}
