import type { Schema } from "./rule.ts";

export type Transition = {
  from: readonly string[] | null;
  to: string;
  by?: readonly string[];
  on?: readonly string[];
  after?: string;
  when?: string;
  emits?: readonly string[];
};

export type StateMachine = {
  property: string;
  final: readonly string[];
  transitions: Readonly<Record<string, Transition>>;
};

/** The machine of a schema; null without one of this shape, which the rule state-machine reports. */
export function readStateMachine(schema: Schema): StateMachine | null {
  const machine = schema["x-state-machine"];
  return isMachine(machine) ? machine : null;
}

/** The events of a transition; those that it records only sometimes end in a question mark. */
export function typesOf({ emits = [] }: Transition): string[] {
  return emits.map((type) => type.replace(/\?$/, ""));
}

function isMachine(value: unknown): value is StateMachine {
  return (
    hasKeys(value, ["property", "final", "transitions"], []) &&
    isText(value["property"]) &&
    isTexts(value["final"]) &&
    isObject(value["transitions"]) &&
    Object.values(value["transitions"]).every(isTransition)
  );
}

function isTransition(value: unknown): value is Transition {
  return (
    hasKeys(value, ["from", "to"], ["by", "on", "after", "when", "emits"]) &&
    (value["from"] === null || isNames(value["from"])) &&
    isText(value["to"]) &&
    ["by", "on"].every((key) => value[key] === undefined || isNames(value[key])) &&
    ["after", "when"].every((key) => value[key] === undefined || isText(value[key])) &&
    (value["emits"] === undefined || isTexts(value["emits"]))
  );
}

function hasKeys(
  value: unknown,
  needed: readonly string[],
  others: readonly string[],
): value is Record<string, unknown> {
  const keys = isObject(value) ? Object.keys(value) : [];
  return needed.every((key) => keys.includes(key)) && keys.every((key) => [...needed, ...others].includes(key));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNames(value: unknown): value is string[] {
  return isTexts(value) && value.length > 0;
}
