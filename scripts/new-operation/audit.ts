import { A, type Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

const types = "openapi/components/schemas/accounts/AuditEventType.yaml";
const test = "apps/gateway/test/audit.edge.test.ts";

/** `saved_view.created`. Null for other changes, whose names are for a person. */
export function auditTypeOf({ verb, noun, isNew }: Pick<Plan, "verb" | "noun" | "isNew">): string | null {
  return verb === "create" && isNew ? `${noun.replaceAll("-", "_")}.created` : null;
}

/** Writes the type of a new noun's creation, its row, and the operation in the test of audit events. */
export function writeAudit(tree: Tree, plan: Plan): void {
  const type = auditTypeOf(plan);
  if (type === null || tree.read(types).includes(`\`${type}\``)) {
    return;
  }
  const text = `${A(plan.words)} was created.`;
  tree.edit(types, /(?=^type: string$)/m, `  | \`${type}\` | ${text} |\n`);
  tree.edit(types, /(?=^examples:)/m, `  - ${type}\n`);
  const rows = /(?<=^const recorded: [^=]*= \{\n(?: {2}\w+: "[\w.]+",\n)*)(?=\};$)/m;
  tree.edit(test, rows, `  ${plan.operationId}: "${type}",\n`);
}
