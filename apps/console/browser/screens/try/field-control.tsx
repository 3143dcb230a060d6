import { useEffect, useId, useState, type ReactNode } from "react";
import type { FormProperty, FormSchema, Json } from "../../../src/build/form-schema.ts";
import { Icon } from "../../parts/icon.tsx";
import {
  controlFor,
  fieldNameOf,
  isObject,
  optionFor,
  renameAt,
  startOf,
  textOf,
  valueOfText,
  type Place,
} from "./form-values.ts";
import { About } from "./about.tsx";

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

/** One value of a body with all that is in it. */
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
      return <ObjectControl {...options} />;
    case "map":
      return <MapControl {...options} />;
    case "list":
      return <ListControl {...options} />;
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

/** What fits no control is written as JSON. */
function schemaOfText(schema: FormSchema, kind: string): FormSchema {
  return kind === "json" ? { kind: "json", ...(schema.about !== undefined && { about: schema.about }) } : schema;
}

function Label({ name, isRequired }: Pick<ControlOptions, "name" | "isRequired">) {
  return (
    <>
      <code>{name}</code>
      {isRequired && <span className="required">required</span>}
    </>
  );
}

function useFault({ faults, place }: Pick<ControlOptions, "faults" | "place">): string | null {
  const field = fieldNameOf(place) || "body";
  return faults.find((fault) => fault.field === field)?.issue ?? null;
}

/** A part with others in it. */
function Group(options: ControlOptions & { children: ReactNode; isAbsent?: boolean }) {
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

function ObjectControl(options: ControlOptions) {
  const { schema, value, place, faults, onChange } = options;
  const known: readonly FormProperty[] = schema.kind === "object" ? schema.properties : [];
  const held = isObject(value) ? value : {};
  const others = Object.keys(held).filter((name) => !known.some((property) => property.name === name));
  return (
    <Group {...options}>
      {known.map((property) => (
        <FieldControl
          key={property.name}
          {...property}
          place={[...place, property.name]}
          value={Object.hasOwn(held, property.name) ? held[property.name] : undefined}
          faults={faults}
          onChange={onChange}
        />
      ))}
      {others.map((name) => (
        <FieldControl
          key={name}
          name={name}
          schema={{ kind: "json", about: "The document does not know it." }}
          isRequired={false}
          place={[...place, name]}
          value={held[name]}
          faults={faults}
          onChange={onChange}
        />
      ))}
    </Group>
  );
}

function MapControl(options: ControlOptions) {
  const { schema, value, place, faults, onChange, name } = options;
  const held = isObject(value) ? value : {};
  const values: FormSchema = schema.kind === "map" ? schema.values : { kind: "json" };
  return (
    <Group {...options}>
      {Object.entries(held).map(([key, one], index) => (
        <div className="try-pair" key={index}>
          <NameInput name={key} of={name} onRename={(to) => onChange(place, renameAt(held, key, to))} />
          <FieldControl
            name={key}
            schema={values}
            isRequired
            place={[...place, key]}
            value={one}
            faults={faults}
            onChange={onChange}
          />
          <RemoveButton name={key} onClick={() => onChange([...place, key], undefined)} />
        </div>
      ))}
      <button
        type="button"
        className="button small"
        onClick={() => onChange([...place, freeName(held)], startOf(values))}
      >
        <Icon name="plus" size={14} /> Add to {name}
      </button>
    </Group>
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

function ListControl(options: ControlOptions) {
  const { schema, value, place, faults, onChange, name } = options;
  const items = Array.isArray(value) ? value : [];
  const itemSchema: FormSchema = schema.kind === "list" ? schema.items : { kind: "json" };
  return (
    <Group {...options}>
      {items.map((item, index) => (
        // Items have no names but their places.
        <div className="try-item" key={index}>
          <FieldControl
            name={`${name}[${index}]`}
            schema={itemSchema}
            isRequired
            place={[...place, index]}
            value={item}
            faults={faults}
            onChange={onChange}
          />
          <RemoveButton name={`${name}[${index}]`} onClick={() => onChange([...place, index], undefined)} />
        </div>
      ))}
      <button
        type="button"
        className="button small"
        onClick={() => onChange([...place, items.length], startOf(itemSchema))}
      >
        <Icon name="plus" size={14} /> Add to {name}
      </button>
    </Group>
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

/** Which of several it is, and the control of that. */
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

function ChoiceControl(options: ControlOptions & { choices: readonly (string | number | boolean | null)[] }) {
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

function TextControl(options: ControlOptions) {
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
