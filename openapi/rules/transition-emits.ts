import { readStateMachine, typesOf } from "./read-state-machine.ts";
import type { Location, Rule } from "./rule.ts";

/** Events that an operation of the ledger without a machine may emit: it moves money, and changes no state. */
const balanceChanged = "wallet.balance_changed";

/** An operation emits the events that its transitions emit, sometimes or each time, and no others. */
export const transitionEmits: Rule = () => {
  const emittedBy = new Map<string, Set<string>>();
  const operations: { id: string; types: readonly unknown[]; isLedger: boolean; location: Location }[] = [];
  return {
    Schema: (schema) => {
      for (const transition of Object.values(readStateMachine(schema)?.transitions ?? {})) {
        for (const id of transition.by ?? []) {
          emittedBy.set(id, new Set([...(emittedBy.get(id) ?? []), ...typesOf(transition)]));
        }
      }
    },
    Paths: {
      PathItem: {
        Operation: (operation, context, { PathItem }) => {
          operations.push({
            id: String(operation.operationId),
            types: [operation["x-emits"] ?? []].flat(),
            isLedger: PathItem["x-service"] === "ledger",
            location: context.location.child(["x-emits"]).key(),
          });
        },
      },
    },
    Root: {
      leave: (_root, context) => {
        for (const { id, types, isLedger, location } of operations) {
          const isFree = isLedger && !emittedBy.has(id) && types.every((type) => type === balanceChanged);
          const expected = emittedBy.get(id) ?? new Set();
          if (!isFree && expected.symmetricDifference(new Set(types)).size > 0) {
            const message = `x-emits of ${id} must be what its transitions emit: ${[...expected].join(", ") || "nothing"}.`;
            context.report({ message, location });
          }
        }
      },
    },
  };
};
