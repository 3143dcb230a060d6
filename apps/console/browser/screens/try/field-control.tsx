import { useEffect, useId, useState } from "react";
import type { FormSchema, Json } from "../../../src/build/form-schema.ts";
import { Icon } from "../../parts/shown/icon.tsx";
import { About, Group, Label, type ControlOptions } from "./field-frame.tsx";
import { controlFor, isObject, optionFor, partsOf, renameAt, startOf } from "./form-values.ts";
import { ChoiceControl, TextControl } from "./value-controls.tsx";

export function FieldControl(options: ControlOptions) {
  const { schema, value, isRequired, place, name, onChange } = options;
  const kind = controlFor(schema, value);
  if (kind === "absent" && (schema.kind === "object" || schema.kind === "map" || schema.kind === "list")) {
    return (
      <Group {...options} isAbsent>
        <button type="button" className="button small" onClick={() => onChange(place, startOf(schema))}>
          <Icon name="plus" size={14} /> Add {name}
        </button>
      </Group>
    );
  }
  switch (kind === "absent" ? schema.kind : kind) {
    case "object":
    case "map":
    case "list":
      return <PartsControl {...options} />;
    case "union":
      return <UnionControl {...options} />;
    case "boolean":
      return <ChoiceControl {...options} choices={[true, false]} />;
    case "choice":
      return <ChoiceControl {...options} choices={schema.kind === "choice" ? schema.values : []} />;
    case "nothing":
      return <ChoiceControl {...options} choices={[null]} />;
    default:
      return <TextControl {...options} schema={schemaOfText(schema, kind)} isRequired={isRequired} />;
  }
}

function schemaOfText(schema: FormSchema, kind: string): FormSchema {
  return kind === "json" ? { kind: "json", ...(schema.about !== undefined && { about: schema.about }) } : schema;
}

function PartsControl(options: ControlOptions) {
  const { schema, value, place, faults, onChange, name: whole } = options;
  return (
    <Group {...options}>
      {partsOf(schema, value).map(({ step, ...part }, index) => {
        const name = typeof step === "number" ? `${whole}[${step}]` : step;
        const at = [...place, step];
        const control = <FieldControl key={name} {...part} {...{ name, faults, onChange }} place={at} />;
        return schema.kind === "object" ? (
          control
        ) : (
          // Items have no names but their places, and a name may be the one that is being written.
          <div className={schema.kind === "map" ? "try-pair" : "try-item"} key={index}>
            {schema.kind === "map" && isObject(value) && (
              <NameInput name={name} of={whole} onRename={(to) => onChange(place, renameAt(value, name, to))} />
            )}
            {control}
            <RemoveButton name={name} onClick={() => onChange(at, undefined)} />
          </div>
        );
      })}
      {schema.kind === "map" && (
        <AddButton {...options} at={freeName(isObject(value) ? value : {})} schema={schema.values} />
      )}
      {schema.kind === "list" && (
        <AddButton {...options} at={Array.isArray(value) ? value.length : 0} schema={schema.items} />
      )}
    </Group>
  );
}

function AddButton({ name, place, at, schema, onChange }: ControlOptions & { at: string | number }) {
  return (
    <button type="button" className="button small" onClick={() => onChange([...place, at], startOf(schema))}>
      <Icon name="plus" size={14} /> Add to {name}
    </button>
  );
}

function freeName(held: { [name: string]: Json }): string {
  for (let count = 1; ; count += 1) {
    if (!Object.hasOwn(held, `key${count}`)) {
      return `key${count}`;
    }
  }
}

/** Taken over when it is left, for on the way a name may be one that is taken. */
function NameInput({ name, of, onRename }: { name: string; of: string; onRename(to: string): void }) {
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  return (
    <input
      className="input mono"
      aria-label={`Name in ${of}`}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onRename(text)}
    />
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={onClick}>
      <Icon name="close" size={14} />
    </button>
  );
}

const kindNames: Readonly<Record<FormSchema["kind"], string>> = {
  object: "an object",
  map: "names and values",
  list: "a list",
  text: "a text",
  number: "a number",
  boolean: "true or false",
  choice: "one of a list",
  nothing: "null",
  union: "one of several",
  json: "JSON",
};

function UnionControl(options: ControlOptions) {
  const { schema, value, place, isRequired, onChange, name } = options;
  const id = useId();
  const choices = schema.kind === "union" ? schema.options : [];
  const at = value === undefined ? -1 : optionFor(choices, value);
  const chosen = choices[at];
  return (
    <div className="field try-union">
      <label htmlFor={id}>
        <Label name={name} isRequired={isRequired} />
        <span className="unseen"> is</span>
      </label>
      <select
        id={id}
        className="input"
        value={at}
        onChange={({ target }) => {
          const next = choices[Number(target.value)];
          onChange(place, next && startOf(next));
        }}
      >
        {(!isRequired || at === -1) && <option value={-1}>left out</option>}
        {choices.map((option, index) => (
          <option key={index} value={index}>
            {kindNames[option.kind]}
          </option>
        ))}
      </select>
      {chosen && chosen.kind !== "nothing" ? (
        <FieldControl {...options} isRequired schema={withAbout(chosen, schema.about)} />
      ) : (
        <p className="hint">
          <About text={schema.about} />
        </p>
      )}
    </div>
  );
}

function withAbout(schema: FormSchema, about: string | undefined): FormSchema {
  return about === undefined ? schema : { ...schema, about };
}
