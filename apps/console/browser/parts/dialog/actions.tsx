import type { ReactNode } from "react";
import { isHere } from "../../data/permissions.ts";
import { pathOf, operations, type OperationId } from "../../data/calls.ts";
import type { Choice, Values } from "../fields/field-input.tsx";
import { useSession, useWhyNot } from "../page/session-context.tsx";
import { useDo } from "../page/address.tsx";
import { ActionDialog, type FormOptions } from "./action-dialog.tsx";
import { signInUrl } from "../../data/session.ts";

export type Act = Pick<ActionButtonOptions, "operationId" | "kind" | "unavailable"> & {
  /** The name of the dialog in the address. */
  do: string;
  label: ReactNode;
  dialog(close: () => void): ReactNode;
};

type FormAct<Id extends OperationId> = Omit<Act, "operationId" | "dialog"> &
  Omit<FormOptions<Id>, "callOf" | "onClose" | "children" | "unavailable"> & {
    /** The id of the object, for the path. */
    id?: string;
    bodyOf?(values: Values): unknown;
    text?: ReactNode;
    /** The name to type in production: always, unless `isDangerous` depends on the values. */
    name?: string;
    isDangerous?(values: Values): boolean;
  };

export function act<Id extends OperationId>(operationId: Id, options: FormAct<Id>): Act {
  const { do: what, label, kind, unavailable = null, id, bodyOf, text, name, isDangerous = true, ...form } = options;
  return {
    ...{ do: what, label, operationId, unavailable, ...(kind && { kind }) },
    dialog: (close) => (
      <ActionDialog<Id>
        {...form}
        {...(name !== undefined && { name, isDangerous })}
        callOf={(values) => ({
          operationId,
          ...(id !== undefined && { path: pathOf(operationId, id) }),
          ...(bodyOf && { body: bodyOf(values) }),
        })}
        onClose={close}
      >
        {text}
      </ActionDialog>
    ),
  };
}

type Simulation<Id extends OperationId> = Pick<FormAct<Id>, "unavailable" | "id"> & {
  label: string;
  /** The title of the dialog, by default the label of the button. */
  title?: string;
  asks: string;
  outcomes: readonly Choice[];
  /** The choice when it opens, by default the first one. */
  usual?: string;
  done: string;
};

/** The report of an external system, made by hand in the sandbox. */
export function simulate<Id extends OperationId>(operationId: Id, options: Simulation<Id>): Act {
  const { label, title = label, asks, outcomes, usual = outcomes[0]?.value ?? "", ...rest } = options;
  return act(operationId, {
    ...{ ...rest, do: "simulate", label, title, submit: "Simulate" },
    fields: [{ name: "outcome", label: asks, kind: "radio", choices: outcomes }],
    initial: { outcome: usual },
    bodyOf: ({ outcome }) => ({ outcome }),
  });
}

type Options = {
  of: readonly (Act | false)[];
  before?: ReactNode;
  small?: boolean;
  /** Added to a dialog's name in the address, when the same object has its buttons in two places. */
  suffix?: string;
};

export function Actions({ of, before, small = false, suffix = "" }: Options) {
  const session = useSession();
  const [what, setWhat] = useDo();
  const acts = of.filter((one) => one !== false).filter(({ operationId }) => isHere(session, operationId));
  return (
    <div className="actions">
      {before}
      {acts.map(({ do: name, label, operationId, kind = "plain", unavailable = null }) => (
        <ActionButton key={name} {...{ operationId, kind, unavailable, small }} onClick={() => setWhat(name + suffix)}>
          {label}
        </ActionButton>
      ))}
      {acts.find(({ do: name }) => name + suffix === what)?.dialog(() => setWhat(undefined))}
    </div>
  );
}

export type ActionButtonOptions = {
  /**
   * Disabled when the person's role does not suffice, with the role needed. Absent in production when only the sandbox
   * has it.
   */
  operationId: OperationId;
  children: ReactNode;
  onClick(): void;
  kind?: "primary" | "danger" | "plain";
  small?: boolean;
  /** The reason why it cannot be done now, for any role. */
  unavailable?: string | null;
};

export function ActionButton(options: ActionButtonOptions) {
  const { operationId, children, onClick, kind = "plain", small = false, unavailable = null } = options;
  const session = useSession();
  const reason = useWhyNot(operationId) ?? unavailable;
  const className = ["button", kind === "plain" ? "" : kind, small ? "small" : ""].filter(Boolean).join(" ");
  return isHere(session, operationId) ? (
    <button
      type="button"
      className={className}
      data-operation={operationId}
      aria-disabled={reason !== null}
      title={reason ?? undefined}
      aria-description={reason ?? undefined}
      onClick={reason === null ? onClick : undefined}
    >
      {children}
    </button>
  ) : null;
}

/** Asks for the sign-in that an operation needs (`x-fresh-sign-in`) before its form is filled in. */
export function FreshSignIn({ operationId }: { operationId: OperationId }) {
  const { signedInAt, person } = useSession();
  const seconds = operations[operationId].freshSignInSeconds;
  if (seconds === null) {
    return null;
  }
  const isTooLongAgo = Date.now() - Date.parse(signedInAt) > seconds * 1000;
  return (
    <>
      {" "}
      You must have signed in within the last {seconds / 60} minutes
      {isTooLongAgo && (
        <>
          , and your sign-in is older:{" "}
          <a href={signInUrl({ maxAgeSeconds: seconds, email: person.email })}>sign in again before you go on</a>
        </>
      )}
      .
    </>
  );
}
