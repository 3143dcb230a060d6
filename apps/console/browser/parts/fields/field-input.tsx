import { useId, type ReactNode } from "react";
import { FieldFrame, Hint, OptionList } from "./field-frame.tsx";

/** The values of a form, as typed. The selected ones of several choices are separated by spaces. */
export type Values = Readonly<Record<string, string>>;

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

export type Field = {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "area" | "select" | "radio" | "checks" | "moment";
  readonly hint?: ReactNode;
  readonly choices?: readonly Choice[];
  readonly placeholder?: string;
  readonly isCode?: boolean;
  /**
   * For checkboxes whose values have a dot. One more box selects all, and one selects each group with a common prefix.
   */
  readonly isGrouped?: boolean;
};

type Options = {
  field: Field;
  value: string;
  fault?: string | null;
  onChange(value: string): void;
  isFirst?: boolean;
};

export function choicesOf(labels: Readonly<Record<string, string>>): readonly Choice[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export function plainChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value.replaceAll("_", " ") }));
}

export function select(name: string, label: string, choices: readonly Choice[], hint?: ReactNode): Field {
  return { name, label, kind: "select", choices, hint };
}

export const externalIdField: Field = {
  ...{ name: "externalId", label: "External id", kind: "text", isCode: true },
  hint: "Your own name for it, to find it by. Optional.",
};

/** The typed text without spaces around it. Throws `fault` when it is empty. */
export function requiredText(typed: string | undefined, fault: string): string {
  const text = typed?.trim() ?? "";
  if (text === "") {
    throw new Error(fault);
  }
  return text;
}

/** The typed e-mail address. Throws `fault` when it is not one. */
export function addressOf(typed: string | undefined, fault: string): string {
  return requiredText(typed?.includes("@") ? typed : "", fault);
}

export function FieldInput(options: Options) {
  const { kind } = options.field;
  return kind === "radio" || kind === "checks" ? <ChoiceField {...options} /> : <TextField {...options} />;
}

function TextField({ field, value, fault = null, onChange, isFirst = false }: Options) {
  const { kind, label, hint, placeholder, choices = [], isCode = false } = field;
  const shared = {
    value,
    className: isCode ? "input mono" : "input",
    "data-autofocus": isFirst,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <FieldFrame label={label} fault={fault} hint={hint}>
      {(attributes) =>
        kind === "select" ? (
          <select {...shared} {...attributes}>
            <OptionList of={choices} />
          </select>
        ) : kind === "area" ? (
          <textarea {...shared} {...attributes} rows={4} placeholder={placeholder} spellCheck={false} />
        ) : (
          <input
            {...shared}
            {...attributes}
            type={kind === "moment" ? "datetime-local" : "text"}
            step={1}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
          />
        )
      }
    </FieldFrame>
  );
}

function ChoiceField({ field, value, fault = null, onChange }: Options) {
  const id = useId();
  const { kind, label, hint, choices = [] } = field;
  const chosen = value.split(" ").filter(Boolean);
  const toggle = (one: string): string => (kind === "radio" ? one : toggled(choices, chosen, one).join(" "));
  return (
    <fieldset className="field" aria-describedby={`${id}-more`}>
      <legend>{label}</legend>
      {field.isGrouped && <Groups choices={choices} chosen={chosen} onChange={onChange} />}
      <div className={kind === "checks" ? "choices many" : "choices"}>
        {choices.map((choice) => (
          <label key={choice.value} className="choice">
            <input
              type={kind === "radio" ? "radio" : "checkbox"}
              name={id}
              checked={chosen.includes(choice.value)}
              onChange={() => onChange(toggle(choice.value))}
            />
            <span>
              {choice.label}
              {choice.hint && <small>{choice.hint}</small>}
            </span>
          </label>
        ))}
      </div>
      <Hint id={`${id}-more`} fault={fault} hint={hint} />
    </fieldset>
  );
}

/** The selected values after one of them was pressed, in the order of the choices. */
export function toggled(choices: readonly Choice[], chosen: readonly string[], one: string): readonly string[] {
  return choices.map(({ value }) => value).filter((each) => chosen.includes(each) !== (each === one));
}

type GroupsOptions = { choices: readonly Choice[]; chosen: readonly string[]; onChange(value: string): void };

function Groups({ choices, chosen, onChange }: GroupsOptions) {
  const values = choices.map(({ value }) => value);
  const groups = [...new Set(values.map((value) => value.split(".", 1)[0] ?? ""))];
  const set = (some: readonly string[], isChosen: boolean): void =>
    onChange(values.filter((value) => (some.includes(value) ? isChosen : chosen.includes(value))).join(" "));
  return (
    <div className="choices many groups">
      <GroupBox label="*" of={values} chosen={chosen} onChange={set} />
      {groups.map((group) => (
        <GroupBox
          key={group}
          label={`${group}.*`}
          of={values.filter((value) => value.startsWith(`${group}.`))}
          chosen={chosen}
          onChange={set}
        />
      ))}
    </div>
  );
}

type GroupBoxOptions = {
  label: string;
  of: readonly string[];
  chosen: readonly string[];
  onChange(some: readonly string[], isChosen: boolean): void;
};

function GroupBox({ label, of, chosen, onChange }: GroupBoxOptions) {
  const count = of.filter((value) => chosen.includes(value)).length;
  const isWhole = count === of.length;
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={isWhole}
        ref={(box) => {
          if (box) {
            box.indeterminate = count > 0 && !isWhole;
          }
        }}
        onChange={() => onChange(of, !isWhole)}
      />
      <span>
        {label} <small>{`${count} of ${of.length}`}</small>
      </span>
    </label>
  );
}
