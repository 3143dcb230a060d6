import { useState, type ReactNode } from "react";
import type { FormSchema, Json } from "../../../src/build/form-schema.ts";
import { FieldFrame, type InputAttributes } from "../../parts/fields/field-frame.tsx";
import { About, Label, useFault, type ControlOptions } from "./field-frame.tsx";
import { textOf, valueOfText } from "./form-values.ts";

export function ChoiceControl(options: ControlOptions & { choices: readonly (string | number | boolean | null)[] }) {
  const { choices, value, isRequired, place, onChange } = options;
  const at = choices.findIndex((choice) => choice === value);
  return (
    <ControlFrame {...options}>
      {(attributes) => (
        <select
          {...attributes}
          className="input"
          value={at}
          onChange={({ target }) => onChange(place, choices[Number(target.value)])}
        >
          {(!isRequired || at === -1) && <option value={-1}>left out</option>}
          {choices.map((choice, index) => (
            <option key={String(choice)} value={index}>
              {String(choice)}
            </option>
          ))}
        </select>
      )}
    </ControlFrame>
  );
}

export function TextControl(options: ControlOptions) {
  const { schema, value, isRequired, place, onChange } = options;
  const [text, setText] = useTyped(schema, value);
  const isLong = schema.kind === "json" || /[\r\n]/.test(text) || text.length > 80;
  const shared = {
    value: text,
    className: "input mono",
    "aria-required": isRequired,
    autoComplete: "off",
    spellCheck: false,
    placeholder: schema.start === undefined ? undefined : textOf(schema.start).slice(0, 60),
    onChange: ({ target }: { target: { value: string } }) => {
      // An optional value is left out once it is emptied.
      const meant = target.value === "" && !isRequired ? undefined : valueOfText(schema, target.value);
      setText(target.value, meant);
      onChange(place, meant);
    },
  };
  return (
    <ControlFrame {...options}>
      {(attributes) =>
        isLong ? (
          <textarea {...shared} {...attributes} rows={3} />
        ) : (
          <input {...shared} {...attributes} inputMode={schema.kind === "number" ? "decimal" : "text"} />
        )
      }
    </ControlFrame>
  );
}

type FrameOptions = ControlOptions & { children(attributes: InputAttributes): ReactNode };

function ControlFrame(options: FrameOptions) {
  const { name, isRequired, schema, children } = options;
  return (
    <FieldFrame
      label={<Label name={name} isRequired={isRequired} />}
      fault={useFault(options)}
      hint={<About text={schema.about} />}
    >
      {children}
    </FieldFrame>
  );
}

/** The typed text, such as `1.0` on the way to `1.05`, stays until the value changes elsewhere. */
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
