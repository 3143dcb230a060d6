import { lazy, Suspense, useId } from "react";
import type { Json, OperationForm } from "../../../src/build/form-schema.ts";
import { LoadingRows } from "../../parts/shown/states.tsx";
import { FieldControl } from "./field-control.tsx";
import type { Fault } from "./field-frame.tsx";
import { setAt } from "./form-values.ts";

const JsonEditor = lazy(() => import("./json-editor.tsx"));

/** `text` is the JSON while the user writes it, valid or not. Null shows the form. */
export type BodyState = { value: Json | undefined; text: string | null };

type Options = {
  body: NonNullable<OperationForm["body"]>;
  state: BodyState;
  faults: readonly Fault[];
  onChange(state: BodyState): void;
};

export function BodyEditor({ body, state, faults, onChange }: Options) {
  const { schema, isRequired, examples } = body;
  const { value, text } = state;
  const show = (next: Json | undefined): void =>
    onChange({ value: next, text: text === null ? null : textOfJson(next) });
  return (
    <section className="try-part">
      <div className="try-bar">
        <h2>Body</h2>
        <FormOrJson state={state} onChange={onChange} />
      </div>
      <div className="actions">
        {examples.map((example) => (
          <button key={example.name} type="button" className="button small" onClick={() => show(example.value)}>
            {examples.length === 1 ? "Example" : `Example: ${example.name}`}
          </button>
        ))}
        {!isRequired && value !== undefined && (
          <button type="button" className="button small quiet" onClick={() => show(undefined)}>
            Send none
          </button>
        )}
      </div>
      {text !== null ? (
        <JsonBody value={value} text={text} onChange={onChange} />
      ) : value === undefined ? (
        <button type="button" className="button small" onClick={() => show(examples[0]?.value ?? {})}>
          Send a body
        </button>
      ) : (
        <FieldControl
          name="body"
          place={[]}
          schema={schema}
          value={value}
          isRequired={isRequired}
          faults={faults}
          onChange={(place, next) => onChange({ value: setAt(value, place, next), text: null })}
        />
      )}
    </section>
  );
}

/** Only valid JSON leads back to the form. */
function FormOrJson({ state: { value, text }, onChange }: Pick<Options, "state" | "onChange">) {
  const isText = text !== null;
  const isFaulty = isText && faultOfJson(text) !== null;
  return (
    <div role="group" aria-label="Body as" className="segments">
      <button
        type="button"
        aria-pressed={!isText}
        aria-disabled={isFaulty}
        onClick={() => !isFaulty && onChange({ value, text: null })}
      >
        Form
      </button>
      <button
        type="button"
        aria-pressed={isText}
        onClick={() => !isText && onChange({ value, text: textOfJson(value) })}
      >
        JSON
      </button>
    </div>
  );
}

type JsonOptions = Pick<Options, "onChange"> & { value: Json | undefined; text: string };

function JsonBody({ value, text, onChange }: JsonOptions) {
  const id = useId();
  const fault = faultOfJson(text);
  return (
    <Suspense fallback={<LoadingRows count={4} />}>
      <JsonEditor
        text={text}
        label="Body as JSON"
        describedBy={`${id}-more`}
        isFaulty={fault !== null}
        onChange={(next) => onChange({ value: faultOfJson(next) === null ? valueOfJson(next) : value, text: next })}
      />
      <p id={`${id}-more`} className="hint fault" aria-live="polite">
        {fault}
      </p>
    </Suspense>
  );
}

/** Null when the text is JSON, or empty. */
export function faultOfJson(text: string): string | null {
  try {
    valueOfJson(text);
    return null;
  } catch (error) {
    return `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function valueOfJson(text: string): Json | undefined {
  // `JSON.parse` returns only JSON values.
  return text.trim() === "" ? undefined : (JSON.parse(text) as Json);
}

function textOfJson(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
