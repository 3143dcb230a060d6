import type { OpenAPI3 } from "openapi-typescript";
import { readStateMachines } from "./read-state-machines.ts";

/** The state machines as a TypeScript module, one line for each transition, in the order of the description. */
export function renderStateMachines(description: OpenAPI3): string {
  const machines = Object.entries(readStateMachines(description)).flatMap(([name, { transitions, ...machine }]) => [
    `  ${name}: {\n`,
    ...Object.entries(machine).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`),
    "    transitions: {\n",
    ...Object.entries(transitions).map(([key, value]) => `      ${key}: ${JSON.stringify(value)},\n`),
    "    },\n  },\n",
  ]);
  return [
    'import type { StateMachine } from "../state-machine.ts";\n\n',
    "export const stateMachines = {\n",
    ...machines,
    "} as const satisfies Record<string, StateMachine>;\n",
  ].join("");
}
