import { canonical, keysOf, objectOf, omit, textOf, textsOf, type JsonObject } from "./json.ts";
import { hasComponent } from "./resolve.ts";
import type { Pair, Scope } from "./scope.ts";

/** Compares the `x-state-machine` of each schema: its states, its transitions and the events that report them. */
export function compareStateMachines(scope: Scope): void {
  const base = machinesOf(scope.documents.base);
  const head = underOldNames(scope, base, machinesOf(scope.documents.head));
  for (const anchor of keysOf(base, head)) {
    const machines = { base: objectOf(base[anchor]), head: objectOf(head[anchor]) };
    if (base[anchor] === undefined) {
      scope.tell({ rule: "state-machine-added", anchor, after: namesOf(machines.head) });
    } else if (head[anchor] === undefined) {
      scope.tell({ rule: "state-machine-removed", anchor, before: namesOf(machines.base) });
    } else {
      compareMachine(scope, anchor, machines);
    }
  }
}

function machinesOf(document: JsonObject): JsonObject {
  const schemas = Object.entries(objectOf(objectOf(document["components"])["schemas"]));
  return Object.fromEntries(
    schemas.flatMap(([name, schema]) => {
      const machine = objectOf(schema)["x-state-machine"];
      return machine === undefined ? [] : [[name, machine]];
    }),
  );
}

/** Finds the new name of a schema: the same operations now drive a machine of another name. */
function underOldNames({ documents }: Scope, base: JsonObject, head: JsonObject): JsonObject {
  const machines = new Map(Object.entries(head));
  const added = new Set(Object.keys(head).filter((name) => !hasComponent(documents.base, name)));
  for (const [oldName, machine] of Object.entries(base)) {
    const name = [...added].find((one) => canonical(head[one]) === canonical(machine));
    if (name !== undefined && !hasComponent(documents.head, oldName)) {
      machines.set(oldName, machine).delete(name);
      added.delete(name);
    }
  }
  return Object.fromEntries(machines);
}

function namesOf(machine: JsonObject): string {
  return Object.keys(objectOf(machine["transitions"])).join(", ");
}

function compareMachine(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  const [before, after] = [textOf(base["property"]) ?? "", textOf(head["property"]) ?? ""];
  if (before !== after) {
    scope.tell({ rule: "state-property-changed", anchor, before, after });
  }
  const final = { base: new Set(textsOf(base["final"])), head: new Set(textsOf(head["final"])) };
  final.base.difference(final.head).forEach((value) => scope.tell({ rule: "final-removed", anchor, value }));
  final.head.difference(final.base).forEach((value) => scope.tell({ rule: "final-added", anchor, value }));
  const transitions = { base: objectOf(base["transitions"]), head: objectOf(head["transitions"]) };
  for (const name of keysOf(transitions.base, transitions.head)) {
    const pair = { base: objectOf(transitions.base[name]), head: objectOf(transitions.head[name]) };
    compareWays(scope, `${anchor}.${name}`, pair);
    if (transitions.base[name] !== undefined && transitions.head[name] !== undefined) {
      compareEvents(scope, `${anchor}.${name}`, pair);
      compareCauses(scope, `${anchor}.${name}`, pair);
    }
  }
}

/** Compares each state separately: a transition that a state loses is removed there. */
function compareWays(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  const [before, after] = [waysOf(base), waysOf(head)];
  before.difference(after).forEach((value) => scope.tell({ rule: "transition-removed", anchor, value }));
  after.difference(before).forEach((value) => scope.tell({ rule: "transition-added", anchor, value }));
}

function waysOf({ from = [], to = "" }: JsonObject): ReadonlySet<string> {
  const states = from === null ? ["nothing"] : textsOf(from);
  return new Set(states.map((state) => `${state}>${textOf(to)}`));
}

const frequencies = ["never", "sometimes", "each time"] as const;

function compareEvents(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  const types = [...textsOf(base["emits"]), ...textsOf(head["emits"])].map((type) => type.replace(/\?$/, ""));
  for (const value of new Set(types)) {
    const [before, after] = [frequencyOf(base, value), frequencyOf(head, value)];
    if (before !== after) {
      const rule = after < before ? "transition-event-removed" : "transition-event-added";
      scope.tell({ rule, anchor, value, before: frequencies[before] ?? "", after: frequencies[after] ?? "" });
    }
  }
}

function frequencyOf({ emits }: JsonObject, type: string): number {
  const types = textsOf(emits);
  return types.includes(type) ? 2 : Number(types.includes(`${type}?`));
}

function compareCauses(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  const [before, after] = [base, head].map((one) => canonical(omit(one, ["from", "to", "emits"])));
  if (before !== after) {
    scope.tell({ rule: "transition-cause-changed", anchor, before: before ?? "", after: after ?? "" });
  }
}
