import { useState, type FormEvent, type ReactNode } from "react";
import type { Answered, Call } from "../data/calls.ts";
import { faultOf } from "../data/calls.ts";
import { whyNot } from "../data/permissions.ts";
import type { OperationId } from "../data/operation-row.ts";
import { AsCode } from "./as-code.tsx";
import { FieldInput, type Field, type Values } from "./field-input.tsx";
import { Modal } from "./modal.tsx";
import { useSession } from "./session-context.tsx";
import { Failure } from "./states.tsx";
import { useToast } from "./toasts.tsx";
import { useAction } from "./use-action.ts";

type Options<Id extends OperationId> = {
  title: string;
  /** What it does, and for what is destructive, what breaks. */
  children?: ReactNode;
  /** As a function: where one value decides what else is asked. */
  fields?: readonly Field[] | ((values: Values) => readonly Field[]);
  initial?: Values;
  submit: string;
  /** What the values come to: told beside the form as it is filled in. */
  preview?(values: Values): ReactNode;
  /** The call that these values make. Throws an Error whose text says which value is wrong. */
  callOf(values: Values): Call<Id>;
  done: string | null;
  onDone?(answer: Answered<Id>): void;
  onClose(): void;
} & (
  | {
      /** It breaks something: in production it asks to type this name. */
      isDangerous: true;
      name: string;
    }
  | { isDangerous?: false; name?: never }
);

/** A form for one operation: its call is shown as code, its faults beside their fields. */
export function ActionDialog<Id extends OperationId>(options: Options<Id>) {
  const { title, children, initial = {}, submit, isDangerous = false, preview, callOf, onClose } = options;
  const session = useSession();
  const toast = useToast();
  const [values, setValues] = useState<Values>(initial);
  const fields = typeof options.fields === "function" ? options.fields(values) : (options.fields ?? []);
  const [typedName, setTypedName] = useState("");
  const action = useAction<Id>((answer) => {
    onClose();
    if (options.done !== null) {
      toast(options.done);
    }
    options.onDone?.(answer);
  });
  const asked = isDangerous && session.environment === "production" ? options.name : undefined;
  const attempt = callOrFault(callOf, values);
  // An address opens a dialog for anybody: what its button refuses, it refuses too.
  const refusal = attempt.call && whyNot(session, attempt.call.operationId);
  const isNamed = asked === undefined || typedName === asked;
  const details = action.error ? faultOf(action.error).details : [];
  const [isTried, setIsTried] = useState(false);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (attempt.call && refusal === null && isNamed && !action.isPending) {
      action.mutate(attempt.call);
    }
  };
  const known = details.filter(({ field }) => fields.some(({ name }) => isOf(field, name)));
  return (
    <Modal title={title} onClose={onClose} isWide={preview !== undefined}>
      <form onSubmit={onSubmit} noValidate>
        {children && <div className="dialog-text">{children}</div>}
        <div className={preview ? "with-preview" : ""}>
          <div>
            {fields.map((field) => (
              <FieldInput
                key={field.name}
                field={field}
                value={values[field.name] ?? ""}
                fault={known.find((one) => isOf(one.field, field.name))?.issue ?? null}
                onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
              />
            ))}
            {asked !== undefined && (
              <FieldInput
                field={{ name: "typedName", label: `Type “${asked}” to go on`, kind: "text" }}
                value={typedName}
                fault={null}
                onChange={(value) => setTypedName(value)}
              />
            )}
          </div>
          {preview && <aside className="preview">{preview(values)}</aside>}
        </div>
        {isTried && attempt.fault !== null && (
          <p className="form-fault" role="alert">
            {attempt.fault}
          </p>
        )}
        {refusal !== null && <p className="form-fault">{refusal}</p>}
        {action.error && <Failure error={action.error} />}
        <footer className="dialog-footer">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={isDangerous ? "button danger" : "button primary"}
            aria-disabled={action.isPending || !isNamed || refusal !== null}
            title={refusal ?? undefined}
            aria-description={refusal ?? undefined}
          >
            {action.isPending ? "Working…" : submit}
          </button>
        </footer>
        {attempt.call && <AsCode call={attempt.call} />}
      </form>
    </Modal>
  );
}

function isOf(field: string, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}

type Attempt<Id extends OperationId> = { call: Call<Id>; fault: null } | { call: null; fault: string };

function callOrFault<Id extends OperationId>(callOf: (values: Values) => Call<Id>, values: Values): Attempt<Id> {
  try {
    return { call: callOf(values), fault: null };
  } catch (error) {
    return { call: null, fault: error instanceof Error ? error.message : String(error) };
  }
}
