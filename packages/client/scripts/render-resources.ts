import type { Resource, ResourceMethod } from "./read-resources.ts";
import { renderComment } from "./render-types.ts";

/** The table that the methods are made from, and their types with what the document says of them. */
export function renderResources(resources: readonly Resource[]): string {
  return [
    'import type { CallOptions, PostOptions } from "../call-options.ts";\n',
    'import type { CallPromise } from "../call-promise.ts";\n',
    'import type { ResourceCall } from "../create-resources.ts";\n',
    'import type { List } from "../list.ts";\n',
    'import type { Query } from "../operation-types.ts";\n',
    `import type { ${namesOf(resources).join(", ")} } from "./types.ts";\n\n`,
    "export const resources = {\n",
    ...resources.map(renderTable),
    "} as const satisfies Record<string, Record<string, ResourceCall>>;\n\n",
    "/** The operations of the document, by noun. */\n",
    "export interface Resources {\n",
    ...resources.map(renderTypes),
    "}\n",
  ].join("");
}

/** The types that the methods take and give. */
function namesOf(resources: readonly Resource[]): string[] {
  const names = resources.flatMap(({ methods }) => methods.flatMap(({ body, result }) => [body, result]));
  return [...new Set(names)].filter((name) => name !== null).sort();
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
  const { name, takes, result, summary, description, policy } = method;
  const text = `${summary}. Needs the permission \`${policy.permission}\`.\n\n${description}`;
  const promised = `${takes === "list" ? "List" : "CallPromise"}<${result}>`;
  return `${renderComment(text, "    ")}    ${name}(${renderParameters(method)}): ${promised};\n`;
}

function renderParameters({ policy, ids, takes, body, isBodyOptional }: ResourceMethod): string {
  const input = body ? `body${isBodyOptional ? "?" : ""}: ${body}` : `query?: Query<"${policy.operationId}">`;
  return [
    ...ids.map((name) => `${name}: string`),
    ...(takes ? [input] : []),
    `options?: ${policy.method === "post" ? "PostOptions" : "CallOptions"}`,
  ].join(", ");
}
