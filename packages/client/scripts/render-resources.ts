import type { Resource, ResourceMethod } from "./read-resources.ts";

/** The table that the methods are made from, and their types with what the document says of them. */
export function renderResources(resources: readonly Resource[]): string {
  return [
    'import type { CallOptions, PostOptions } from "../call-options.ts";\n',
    'import type { ResourceCall } from "../create-resources.ts";\n',
    'import type { List } from "../list.ts";\n',
    'import type { Body, Data, Item, Query } from "../operation-types.ts";\n\n',
    "export const resources = {\n",
    ...resources.map(renderTable),
    "} as const satisfies Record<string, Record<string, ResourceCall>>;\n\n",
    "/** The operations of the document, by noun. */\n",
    "export interface Resources {\n",
    ...resources.map(renderTypes),
    "}\n",
  ].join("");
}

function renderTable({ name, methods }: Resource): string {
  const lines = methods.map(({ name: method, policy, takes }) => {
    const call = [policy.method.toUpperCase(), policy.path, ...(takes ? [takes] : [])];
    return `    ${method}: ${JSON.stringify(call).replaceAll(",", ", ")},\n`;
  });
  return `  ${name}: {\n${lines.join("")}  },\n`;
}

function renderTypes({ name, methods }: Resource): string {
  return `  ${name}: {\n${methods.map(renderMethod).join("")}  };\n`;
}

function renderMethod(method: ResourceMethod): string {
  const id = JSON.stringify(method.policy.operationId);
  const result = method.takes === "list" ? `List<Item<${id}>>` : `Promise<Data<${id}>>`;
  return `${renderComment(method)}    ${method.name}(${renderParameters(method, id)}): ${result};\n`;
}

function renderParameters({ policy, ids, takes, isBodyOptional }: ResourceMethod, id: string): string {
  const input = takes === "body" ? `body${isBodyOptional ? "?" : ""}: Body<${id}>` : `query?: Query<${id}>`;
  return [
    ...ids.map((name) => `${name}: string`),
    ...(takes ? [input] : []),
    `options?: ${policy.method === "post" ? "PostOptions" : "CallOptions"}`,
  ].join(", ");
}

function renderComment({ summary, description, policy }: ResourceMethod): string {
  const text = `${summary}. Needs the permission \`${policy.permission}\`.\n\n${description.trim()}`;
  // Links within the document lead nowhere from here.
  const lines = text
    .replaceAll("*/", "*\\/")
    .replace(/\[([^\]]+)\]\(#[^)]*\)/g, "$1")
    .split("\n");
  return `    /**\n${lines.map((line) => `     * ${line}`.trimEnd()).join("\n")}\n     */\n`;
}
