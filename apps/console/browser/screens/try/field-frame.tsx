import { useId, type ReactNode } from "react";
import type { FormSchema, Json } from "../../../src/build/form-schema.ts";
import { Icon } from "../../parts/shown/icon.tsx";
import { fieldNameOf, type Place } from "./form-values.ts";

export type Fault = { readonly field: string; readonly issue: string };

export type ControlOptions = {
  name: string;
  place: Place;
  schema: FormSchema;
  value: Json | undefined;
  isRequired: boolean;
  faults: readonly Fault[];
  onChange(place: Place, value: Json | undefined): void;
};

export function Label({ name, isRequired }: Pick<ControlOptions, "name" | "isRequired">) {
  return (
    <>
      <code>{name}</code>
      {isRequired && <span className="required">required</span>}
    </>
  );
}

export function useFault({ faults, place }: Pick<ControlOptions, "faults" | "place">): string | null {
  const field = fieldNameOf(place) || "body";
  return faults.find((fault) => fault.field === field)?.issue ?? null;
}

export function Group(options: ControlOptions & { children: ReactNode; isAbsent?: boolean }) {
  const { name, place, schema, isRequired, onChange, children, isAbsent = false } = options;
  const fault = useFault(options);
  const id = useId();
  if (place.length === 0) {
    return (
      <div className="try-root">
        {fault !== null && <p className="hint fault">{fault}</p>}
        {children}
      </div>
    );
  }
  return (
    <fieldset className="field try-group" aria-describedby={`${id}-more`}>
      <legend>
        <Label name={name} isRequired={isRequired} />
      </legend>
      <p id={`${id}-more`} className={fault === null ? "hint" : "hint fault"}>
        {fault ?? <About text={schema.about} />}
      </p>
      {children}
      {!isAbsent && !isRequired && <LeaveOut name={name} onClick={() => onChange(place, undefined)} />}
    </fieldset>
  );
}

function LeaveOut({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <button type="button" className="button small quiet" onClick={onClick}>
      <Icon name="close" size={14} /> Leave out {name}
    </button>
  );
}

/** A sentence of the document: what stands between backticks is code, and all of it is text. */
export function About({ text }: { text: string | undefined }) {
  return (text ?? "")
    .split(/(`[^`]+`)/)
    .map((part, index) => (/^`[^`]+`$/.test(part) ? <code key={index}>{part.slice(1, -1)}</code> : part));
}
