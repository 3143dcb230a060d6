import type { OpenAPI3 } from "openapi-typescript";
import type { OperationPolicy } from "../src/operation-policy.ts";
import { readPolicies } from "./read-policies.ts";

/** The operation table as a TypeScript module, one line for each operation, in the order of the description. */
export function renderOperations(description: OpenAPI3): string {
  const lines = readPolicies(description).map((policy) => `  ${policy.operationId}: ${literal(policy)},\n`);
  return [
    'import type { OperationPolicy } from "../operation-policy.ts";\n\n',
    "export const operations = {\n",
    ...lines,
    "} as const satisfies Record<string, OperationPolicy>;\n",
  ].join("");
}

function literal(policy: OperationPolicy): string {
  const entries = Object.entries(policy).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${entries.join(", ")} }`;
}
