import type { OpenAPI3 } from "openapi-typescript";
import type { StateMachine, Transition } from "../src/state-machine.ts";
import type { EventType } from "../src/event.ts";

type WrittenTransition = Pick<Transition, "from" | "to" | "by" | "on" | "after" | "when"> & { emits?: string[] };
type Schema = {
  $ref?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  "x-state-machine"?: {
    property: string;
    final: string[];
    transitions: Record<string, WrittenTransition>;
  };
};

/** The state machines of the description by their schemas. Their shape is what the lint rules have made sure of. */
export function readStateMachines(description: OpenAPI3): Record<string, StateMachine> {
  // The lint rules hold every machine to this shape, and the bundler leaves references to components in place.
  const schemas = (description.components?.schemas ?? {}) as Record<string, Schema>;
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, { properties = {}, "x-state-machine": machine }]) => {
      if (!machine) {
        return [];
      }
      const { property, final, transitions } = machine;
      const { $ref, enum: own } = properties[property] ?? {};
      const states = own ?? schemas[$ref?.replace("#/components/schemas/", "") ?? ""]?.enum ?? [];
      return [[name, { property, states, final, transitions: mapValues(transitions, readTransition) }]];
    }),
  );
}

/** A type of event with a question mark is one that does not come each time. */
function readTransition({ emits = [], ...transition }: WrittenTransition): Transition {
  // That they are types of events is a lint rule.
  const [always, sometimes] = [emits.filter((type) => !type.endsWith("?")), emits.filter((type) => type.endsWith("?"))];
  return {
    ...transition,
    emits: always as EventType[],
    mayEmit: sometimes.map((type) => type.slice(0, -1)) as EventType[],
  };
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
