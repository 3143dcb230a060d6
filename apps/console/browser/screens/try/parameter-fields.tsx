import type { FormParameter } from "../../../src/build/form-schema.ts";
import { useId, type ReactNode } from "react";
import { About } from "./about.tsx";
import type { Fault } from "./field-frame.tsx";

type Options = {
  title: string;
  parameters: readonly FormParameter[];
  values: Readonly<Record<string, string>>;
  faults: readonly Fault[];
  onChange(name: string, text: string): void;
  /** Beside the field of one of them. */
  beside?(name: string): ReactNode;
};

/** What stands in the path, the query or the headers: texts, as they are in an address. */
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
  const id = useId();
  const choices = schema.kind === "choice" ? schema.values.map(String) : schema.kind === "boolean" ? booleans : null;
  const shared = {
    id,
    value,
    className: "input mono",
    "aria-invalid": fault !== null,
    "aria-required": isRequired,
    "aria-describedby": `${id}-more`,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        <code>{name}</code>
        {isRequired && <span className="required">required</span>}
      </label>
      {choices === null ? (
        <input {...shared} placeholder={example} autoComplete="off" spellCheck={false} />
      ) : (
        <select {...shared}>
          {(!isRequired || !choices.includes(value)) && <option value="">left out</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      {beside}
      <p id={`${id}-more`} className={fault === null ? "hint" : "hint fault"}>
        {fault ?? <About text={about} />}
      </p>
    </div>
  );
}

const booleans = ["true", "false"];
