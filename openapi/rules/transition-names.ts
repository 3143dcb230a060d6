import { readStateMachine, typesOf } from "./read-state-machine.ts";
import type { Location, Rule } from "./rule.ts";

/** The names in transitions exist: `by` names operations, `emits` types of events. */
export const transitionNames: Rule = () => {
  const operations = new Set<unknown>();
  const named: { transition: string; by: readonly string[]; types: readonly string[]; location: Location }[] = [];
  return {
    Paths: { PathItem: { Operation: (operation) => operations.add(operation.operationId) } },
    Schema: (schema, context) => {
      const location = context.location.child(["x-state-machine"]).key();
      for (const [transition, value] of Object.entries(readStateMachine(schema)?.transitions ?? {})) {
        named.push({ transition, by: value.by ?? [], types: typesOf(value), location });
      }
    },
    Root: {
      leave: ({ webhooks = {} }, context) => {
        for (const { transition, by, types, location } of named) {
          for (const name of by.filter((one) => !operations.has(one))) {
            context.report({
              message: `The transition ${transition} is by ${name}, which is not an operation.`,
              location,
            });
          }
          for (const type of types.filter((one) => !(one in webhooks))) {
            context.report({
              message: `The transition ${transition} emits ${type}, which is not an event type.`,
              location,
            });
          }
        }
      },
    },
  };
};
