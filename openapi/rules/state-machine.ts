import { readStateMachine, type StateMachine, type Transition } from "./read-state-machine.ts";
import { property } from "./resolve.ts";
import type { Rule } from "./rule.ts";

const shape =
  "x-state-machine must say property, final and transitions; a transition from, to, what causes it, and what it emits.";

/** Every state of x-state-machine is reached, no transition leaves a final one, and every transition has one cause. */
export const stateMachine: Rule = () => ({
  Schema: (schema, context) => {
    if (schema["x-state-machine"] === undefined) {
      return;
    }
    const machine = readStateMachine(schema);
    const held =
      machine && property({ node: schema, file: context.location.source.absoluteRef }, machine.property, context);
    const faults = machine ? faultsOf(machine, (held?.node.enum ?? []).map(String)) : [shape];
    for (const message of faults) {
      context.report({ message, location: context.location.child(["x-state-machine"]).key() });
    }
  },
});

function faultsOf({ property: name, final, transitions }: StateMachine, listed: readonly string[]): string[] {
  const each = Object.entries(transitions);
  const named = new Set([...final, ...each.flatMap(([, { from, to }]) => [...(from ?? []), to])]);
  const reached = reachedBy(each.map(([, transition]) => transition));
  return [
    ...[...named].filter((state) => !listed.includes(state)).map((state) => `The enum of ${name} must have ${state}.`),
    ...listed.filter((state) => !reached.has(state)).map((state) => `No transition leads to ${state}.`),
    ...each.flatMap(([transition, { from }]) =>
      final
        .filter((state) => from?.includes(state))
        .map((state) => `The transition ${transition} leaves ${state}, which is final.`),
    ),
    ...each.flatMap(([transition, value]) => {
      const fault = faultOfCause(value);
      return fault === null ? [] : [`The transition ${transition} must have ${fault}.`];
    }),
  ];
}

/** All states that can be reached from the start. */
function reachedBy(transitions: readonly Transition[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = (): Transition | undefined =>
    transitions.find(({ from, to }) => !reached.has(to) && (from === null || from.some((state) => reached.has(state))));
  for (let transition = next(); transition; transition = next()) {
    reached.add(transition.to);
  }
  return reached;
}

function faultOfCause({ by, on, after, when }: Transition): string | null {
  if ([by, on, after].filter((cause) => cause !== undefined).length !== 1) {
    return "one of by, on and after";
  }
  if (after !== undefined && !/^P(?=\d|T\d)(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/.test(after)) {
    return "an after such as PT24H or P7D";
  }
  return when !== undefined && after === undefined ? "when only together with after" : null;
}
