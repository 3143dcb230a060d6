import type { FormParameter } from "../../../src/build/form-schema.ts";
import type { ReactNode } from "react";
import { FieldFrame, OptionList } from "../../parts/fields/field-frame.tsx";
import { About, Label, type Fault } from "./field-frame.tsx";

type Options = {
  title: string;
  parameters: readonly FormParameter[];
  values: Readonly<Record<string, string>>;
  faults: readonly Fault[];
  onChange(name: string, text: string): void;
  beside?(name: string): ReactNode;
};

/** The values of the path, the query or the headers: strings, as in an address. */
export function ParameterFields({ title, parameters, values, faults, onChange, beside }: Options) {
  return parameters.length === 0 ? null : (
    <section className="try-part">
      <h2>{title}</h2>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ""}
          fault={faults.find(({ field }) => field === parameter.name)?.issue ?? null}
          onChange={(text) => onChange(parameter.name, text)}
          beside={beside?.(parameter.name)}
        />
      ))}
    </section>
  );
}

type FieldOptions = {
  parameter: FormParameter;
  value: string;
  fault: string | null;
  onChange(text: string): void;
  beside: ReactNode;
};

function ParameterField({ parameter, value, fault, onChange, beside }: FieldOptions) {
  const { name, isRequired, schema, example, about } = parameter;
  const choices = schema.kind === "choice" ? schema.values.map(String) : schema.kind === "boolean" ? booleans : null;
  const shared = {
    value,
    className: "input mono",
    "aria-required": isRequired,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <FieldFrame
      label={<Label name={name} isRequired={isRequired} />}
      fault={fault}
      hint={<About text={about} />}
      beside={beside}
    >
      {(attributes) =>
        choices === null ? (
          <input {...shared} {...attributes} placeholder={example} autoComplete="off" spellCheck={false} />
        ) : (
          <select {...shared} {...attributes}>
            {(!isRequired || !choices.includes(value)) && <option value="">left out</option>}
            <OptionList of={choices.map((choice) => ({ value: choice }))} />
          </select>
        )
      }
    </FieldFrame>
  );
}

const booleans = ["true", "false"];
