import { useId, type ReactNode } from "react";

/** The attributes that connect an input with its label, hint and fault. */
export type InputAttributes = { id: string; "aria-invalid": boolean; "aria-describedby": string };

type Options = {
  label: ReactNode;
  fault: string | null;
  hint?: ReactNode;
  className?: string;
  beside?: ReactNode;
  children(attributes: InputAttributes): ReactNode;
};

export function FieldFrame({ label, fault, hint, className = "field", beside, children }: Options) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": fault !== null, "aria-describedby": `${id}-more` })}
      {beside}
      <Hint id={`${id}-more`} fault={fault} hint={hint} />
    </div>
  );
}

export function Hint({ id, fault, hint }: { id: string; fault: string | null; hint?: ReactNode }) {
  return (
    <p id={id} className={fault === null ? "hint" : "hint fault"}>
      {fault ?? hint}
    </p>
  );
}
