import type { Plan } from "./plan.ts";
import type { Tree } from "./tree.ts";

/** The time of the examples, with which their ids begin. */
export const madeAt = "2026-03-09T11:52:30.114Z";
export const idOf = (prefix: string): string => `${prefix}_01kk972352fjb9tbcdr6598k95`;

/** An example of the noun, a line for each field: the created one, when the document shows it already. */
export function exampleOf(tree: Tree, { service, Noun, prefix, under, fields, firstState }: Plan): string {
  const created = `openapi/components/examples/${service}/${Noun}Created.yaml`;
  const [, shown] = /^  data:\n((?: {4}.*\n)+)/m.exec(tree.has(created) ? tree.read(created) : "") ?? [];
  if (shown !== undefined) {
    return shown.trimEnd().replaceAll(/^ {4}/gm, "");
  }
  const ofParent = under ? `${under.parameter}: ${idOf(under.prefix)}\n` : "";
  const ofState = firstState === null ? "" : `status: ${firstState}\n`;
  return `id: ${idOf(prefix)}\n${ofParent}${linesOf(fields)}${ofState}createdAt: "${madeAt}"`;
}

export function linesOf(fields: Plan["fields"], indent = ""): string {
  return fields.map(({ name, example }) => `${indent}${name}: ${example}\n`).join("");
}
