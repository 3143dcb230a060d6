import { useEffect, useState, type FormEvent, type MouseEvent, type ReactNode } from "react";
import { type Answered, type Call, faultOf, type OperationId } from "../../data/calls.ts";
import { forgetDraft, keepDraft, readDraft } from "../../data/draft.ts";
import { whyNot } from "../../data/permissions.ts";
import { AsCode } from "../shown/as-code.tsx";
import { FieldInput, type Field, type Values } from "../fields/field-input.tsx";
import { Modal } from "./modal.tsx";
import { useSession } from "../page/session-context.tsx";
import { type Asked, FailedPart, Failure } from "../shown/states.tsx";
import { useToast } from "../shown/toasts.tsx";
import { useAction } from "../call/use-action.ts";

export type FormOptions<Id extends OperationId> = {
  title: string;
  /** The effect of the action, and what a destructive one breaks. */
  children?: ReactNode;
  /** A function when one value decides which other fields appear. */
  fields?: readonly Field[] | ((values: Values) => readonly Field[]);
  initial?: Values;
  /** The requests for its choices. The dialog shows those that failed. */
  choices?: readonly Asked[];
  submit: string;
  /** The reason why it cannot be sent now, with any values. */
  unavailable?: string | null;
  /** The result of the values, shown next to the form while the user fills it in. */
  preview?(values: Values): ReactNode;
  /** The call that these values make. Throws an Error whose text says which value is wrong. */
  callOf(values: Values): Call<Id>;
  done: string | null;
  onDone?(answer: Answered<Id> & { call: Call<Id> }): void;
  /** The element that gets the focus back, unless it is the one that has it when this opens. */
  returnTo?: Element | null;
  /** `isDone`: the call was sent and succeeded. */
  onClose(isDone: boolean): void;
};

type Options<Id extends OperationId> = FormOptions<Id> &
  (
    | {
        /**
         * The action breaks something, always or with some values. In production the user then has to type this name.
         */
        isDangerous: true | ((values: Values) => boolean);
        name: string;
      }
    | { isDangerous?: false; name?: never }
  );

/** A form for one operation. It shows its call as code, and faults next to their fields. */
export function ActionDialog<Id extends OperationId>(options: Options<Id>) {
  const { title, children, preview, onClose } = options;
  const form = useForm(options);
  const { values, attempt, action } = form;
  return (
    <Modal
      title={title}
      onClose={() => onClose(false)}
      isWide={preview !== undefined}
      returnTo={options.returnTo ?? null}
    >
      <form onSubmit={form.onSubmit} onClickCapture={form.keepBeforeSignIn} noValidate>
        {children && <div className="dialog-text">{children}</div>}
        {options.choices?.map((asked, index) => (
          <FailedPart key={index} of={asked} />
        ))}
        <div className={preview ? "with-preview" : ""}>
          <FormFields form={form} fields={options.fields ?? []} />
          {preview && <aside className="preview">{preview(values)}</aside>}
        </div>
        {form.isTried && attempt.fault !== null && (
          <p className="form-fault" role="alert">
            {attempt.fault}
          </p>
        )}
        {form.beyond !== null && <p className="form-fault">{form.beyond}</p>}
        {action.error && <Failure error={action.error} />}
        <footer className="dialog-footer">
          <button type="button" className="button" onClick={() => onClose(false)}>
            Cancel
          </button>
          <button
            type="submit"
            className={form.isDangerous ? "button danger" : "button primary"}
            aria-disabled={action.isPending || form.isHeldBack}
            title={form.refusal ?? undefined}
            aria-description={form.refusal ?? undefined}
            onClick={(event) => form.isHeldBack && event.preventDefault()}
          >
            {action.isPending ? "Working…" : options.submit}
          </button>
        </footer>
        {attempt.call && <AsCode call={attempt.call} />}
      </form>
    </Modal>
  );
}

function useForm<Id extends OperationId>(options: Options<Id>) {
  const { title, initial = {}, callOf, onClose } = options;
  const session = useSession();
  const toast = useToast();
  const place = { personId: session.person.id, title };
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readDraft(place) }));
  useEffect(forgetDraft, []);
  const [typedName, setTypedName] = useState("");
  const [isTried, setIsTried] = useState(false);
  const attempt = callOrFault(callOf, values);
  // The first field gets the focus when a value is missing. A form that is complete as it opens is not sent by one more
  // Enter.
  const [isAskingFirst] = useState(attempt.call === null);
  const action = useAction<Id>((answer, call) => {
    onClose(true);
    if (options.done !== null) {
      toast(options.done);
    }
    options.onDone?.({ ...answer, call });
  });
  const isDangerous =
    typeof options.isDangerous === "function" ? options.isDangerous(values) : (options.isDangerous ?? false);
  const asked = isDangerous && session.environment === "production" ? options.name : undefined;
  // An address can open a dialog for any role, so the dialog refuses everything that its button refuses.
  const beyond = attempt.call && whyNot(session, attempt.call.operationId);
  const refusal = beyond ?? options.unavailable ?? null;
  const isHeldBack = (asked !== undefined && typedName !== asked) || refusal !== null;
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (attempt.call && !action.isPending && !isHeldBack) {
      action.mutate(attempt.call);
    }
  };
  const keepBeforeSignIn = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('a[href^="/sign-in"]')) {
      keepDraft(place, values);
    }
  };
  return {
    ...{ values, setValues, typedName, setTypedName, isTried, isAskingFirst, attempt, action },
    ...{ isDangerous, asked, beyond, refusal, isHeldBack, onSubmit, keepBeforeSignIn },
  };
}

type FieldsOptions<Id extends OperationId> = Pick<FormOptions<Id>, "fields"> & { form: ReturnType<typeof useForm<Id>> };

function FormFields<Id extends OperationId>({ form, fields = [] }: FieldsOptions<Id>) {
  const { values, setValues, action, asked } = form;
  const details = action.error ? faultOf(action.error).details : [];
  return (
    <div>
      {(typeof fields === "function" ? fields(values) : fields).map((field, index) => (
        <FieldInput
          key={field.name}
          field={field}
          isFirst={form.isAskingFirst && index === 0}
          value={values[field.name] ?? ""}
          fault={details.find((one) => isOf(one.field, field.name))?.issue ?? null}
          onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
        />
      ))}
      {asked !== undefined && (
        <FieldInput
          field={{ name: "typedName", label: `Type “${asked}” to go on`, kind: "text" }}
          value={form.typedName}
          onChange={form.setTypedName}
        />
      )}
    </div>
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
