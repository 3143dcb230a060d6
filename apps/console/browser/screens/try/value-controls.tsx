import { useId, useState } from "react";
import type { FormSchema, Json } from "../../../src/build/form-schema.ts";
import { About } from "./about.tsx";
import { Label, useFault, type ControlOptions } from "./field-frame.tsx";
import { textOf, valueOfText } from "./form-values.ts";

/** One of a few. */
export function ChoiceControl(options: ControlOptions & { choices: readonly (string | number | boolean | null)[] }) {
  const { choices, schema, value, isRequired, place, name, onChange } = options;
  const id = useId();
  const fault = useFault(options);
  const at = choices.findIndex((choice) => choice === value);
  return (
    <div className="field">
      <label htmlFor={id}>
        <Label name={name} isRequired={isRequired} />
      </label>
      <select
        id={id}
        className="input"
        value={at}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-more`}
        onChange={({ target }) => onChange(place, choices[Number(target.value)])}
      >
        {(!isRequired || at === -1) && <option value={-1}>left out</option>}
        {choices.map((choice, index) => (
          <option key={String(choice)} value={index}>
            {String(choice)}
          </option>
        ))}
      </select>
      <p id={`${id}-more`} className={fault === null ? "hint" : "hint fault"}>
        {fault ?? <About text={schema.about} />}
      </p>
    </div>
  );
}

/** What is written: a text, a number, or JSON. */
export function TextControl(options: ControlOptions) {
  const { schema, value, isRequired, place, name, onChange } = options;
  const id = useId();
  const fault = useFault(options);
  const [text, setText] = useTyped(schema, value);
  const isLong = schema.kind === "json" || /[\r\n]/.test(text) || text.length > 80;
  const shared = {
    id,
    value: text,
    className: "input mono",
    "aria-invalid": fault !== null,
    "aria-required": isRequired,
    "aria-describedby": `${id}-more`,
    autoComplete: "off",
    spellCheck: false,
    placeholder: schema.start === undefined ? undefined : textOf(schema.start).slice(0, 60),
    onChange: ({ target }: { target: { value: string } }) => {
      // What may be left out, and is emptied, is left out.
      const meant = target.value === "" && !isRequired ? undefined : valueOfText(schema, target.value);
      setText(target.value, meant);
      onChange(place, meant);
    },
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <Label name={name} isRequired={isRequired} />
      </label>
      {isLong ? (
        <textarea {...shared} rows={3} />
      ) : (
        <input {...shared} inputMode={schema.kind === "number" ? "decimal" : "text"} />
      )}
      <p id={`${id}-more`} className={fault === null ? "hint" : "hint fault"}>
        {fault ?? <About text={schema.about} />}
      </p>
    </div>
  );
}

/** What is being typed, such as `1.0` on the way to `1.05`, stays until the value comes from elsewhere. */
function useTyped(
  schema: FormSchema,
  value: Json | undefined,
): [string, (text: string, meant: Json | undefined) => void] {
  const held = JSON.stringify(value);
  const [typed, setTyped] = useState(() => ({ text: shownText(schema, value), meant: held }));
  if (typed.meant !== held) {
    setTyped({ text: shownText(schema, value), meant: held });
  }
  return [typed.text, (text, meant) => setTyped({ text, meant: JSON.stringify(meant) })];
}

function shownText(schema: FormSchema, value: Json | undefined): string {
  return schema.kind === "json" && value !== undefined ? JSON.stringify(value) : textOf(value);
}
