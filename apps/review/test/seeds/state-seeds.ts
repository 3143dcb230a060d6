import type { Documents } from "../../src/compare/compare-documents.ts";
import type { JsonObject } from "../../src/compare/json.ts";
import type { DocumentSeed } from "./document-seeds.ts";

const fill = { from: ["empty"], to: "full", by: ["fillPot"], emits: ["pot.filled", "pot.warned?"] };
const transitions = { create: { from: null, to: "empty", by: ["createPot"] }, fill };
const machine = { property: "status", final: ["full"], transitions };

const withMachine = { "x-state-machine": machine };

const schemasOf = (schemas: JsonObject): Documents => ({ "openapi.yaml": { components: { schemas } } });
const documentOf = (schema: JsonObject): Documents => schemasOf({ Pot: schema });
const pots = (changed: JsonObject): Documents => documentOf({ "x-state-machine": { ...machine, ...changed } });
const filled = (changed: JsonObject): Documents =>
  pots({ transitions: { ...transitions, fill: { ...fill, ...changed } } });

/** Changes of state machines, in a document that has one with every kind of transition. */
export const stateSeeds: readonly DocumentSeed[] = [
  {
    name: "a thing whose states are told",
    base: documentOf({}),
    head: pots({}),
    says: ["attention state-machine-added:Pot"],
    back: ["breaking state-machine-removed:Pot"],
  },
  {
    name: "the states of another thing that there was",
    base: schemasOf({ Pot: withMachine, Pan: {} }),
    head: schemasOf({ Pan: withMachine }),
    says: ["attention state-machine-added:Pan", "breaking state-machine-removed:Pot"],
    back: ["attention state-machine-added:Pot", "breaking state-machine-removed:Pan"],
  },
  {
    name: "a thing under two other names",
    base: schemasOf({ Pot: withMachine }),
    head: schemasOf({ Pan: withMachine, Pail: withMachine }),
    says: ["attention state-machine-added:Pail"],
    back: ["breaking state-machine-removed:Pail"],
  },
  {
    name: "a state that is told in another field",
    base: pots({}),
    head: pots({ property: "state" }),
    says: ["breaking state-property-changed:Pot"],
    back: ["breaking state-property-changed:Pot"],
  },
  {
    name: "one more transition",
    base: pots({ transitions: { create: transitions.create } }),
    head: pots({}),
    says: ["attention transition-added:Pot.fill=empty>full"],
    back: ["breaking transition-removed:Pot.fill=empty>full"],
  },
  {
    name: "a transition from one more state",
    base: filled({}),
    head: filled({ from: ["empty", "cracked"] }),
    says: ["attention transition-added:Pot.fill=cracked>full"],
    back: ["breaking transition-removed:Pot.fill=cracked>full"],
  },
  {
    name: "a transition that makes the thing at once",
    base: filled({}),
    head: filled({ from: null }),
    says: ["attention transition-added:Pot.fill=nothing>full", "breaking transition-removed:Pot.fill=empty>full"],
    back: ["attention transition-added:Pot.fill=empty>full", "breaking transition-removed:Pot.fill=nothing>full"],
  },
  {
    name: "a transition that leads elsewhere",
    base: filled({}),
    head: filled({ to: "cracked" }),
    says: ["attention transition-added:Pot.fill=empty>cracked", "breaking transition-removed:Pot.fill=empty>full"],
    back: ["attention transition-added:Pot.fill=empty>full", "breaking transition-removed:Pot.fill=empty>cracked"],
  },
  {
    name: "one more event of a transition",
    base: filled({ emits: ["pot.warned?"] }),
    head: filled({}),
    says: ["attention transition-event-added:Pot.fill=pot.filled"],
    back: ["breaking transition-event-removed:Pot.fill=pot.filled"],
  },
  {
    name: "an event that comes each time, and came sometimes",
    base: filled({}),
    head: filled({ emits: ["pot.filled", "pot.warned"] }),
    says: ["attention transition-event-added:Pot.fill=pot.warned"],
    back: ["breaking transition-event-removed:Pot.fill=pot.warned"],
  },
  {
    name: "a transition with another cause",
    base: filled({}),
    head: pots({
      transitions: { ...transitions, fill: { from: ["empty"], to: "full", on: ["sky.rained"], emits: fill.emits } },
    }),
    says: ["attention transition-cause-changed:Pot.fill"],
    back: ["attention transition-cause-changed:Pot.fill"],
  },
  {
    name: "a state that is the end",
    base: pots({ final: [] }),
    head: pots({}),
    says: ["attention final-added:Pot=full"],
    back: ["breaking final-removed:Pot=full"],
  },
];
