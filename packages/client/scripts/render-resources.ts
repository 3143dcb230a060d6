import type { Resource, ResourceMethod } from "./read-resources.ts";
import { renderComment } from "./render-types.ts";

/** Renders the table from which the methods are made, and their types with the document's descriptions. */
export function renderResources(resources: readonly Resource[]): string {
  return [
    'import type { CallOptions, PostOptions } from "../call-options.ts";\n',
    'import type { CallPromise } from "../call-promise.ts";\n',
    'import type { ResourceTable } from "../resource-table.ts";\n',
    'import type { List } from "../list.ts";\n',
    'import type { Query } from "../operation-types.ts";\n',
    `import type { ${namesOf(resources).join(", ")} } from "./types.ts";\n\n`,
    "export const resources = {\n",
    ...nest(resources, renderTable, ","),
    "} as const satisfies ResourceTable;\n\n",
    "/** The operations of the document, by noun. */\n",
    "export interface Resources {\n",
    ...nest(resources, renderTypes, ";"),
    "}\n",
  ].join("");
}

function namesOf(resources: readonly Resource[]): string[] {
  const names = resources.flatMap(({ methods }) => methods.flatMap(({ body, result }) => [body, result]));
  return [...new Set(names)].filter((name) => name !== null).sort();
}

/** `sandbox.clock` is nested in `sandbox`. */
function nest(resources: readonly Resource[], render: (resource: Resource) => string, end: string): string[] {
  const groups = Map.groupBy(resources, ({ name }) => (name.includes(".") ? name.split(".")[0] : undefined));
  return Array.from(groups, ([group, found]) => {
    const texts = found.map((one) => render({ ...one, name: one.name.split(".").at(-1) ?? "" })).join("");
    return group === undefined ? texts : `  ${group}: {\n${texts.replaceAll(/^(?=.)/gm, "  ")}  }${end}\n`;
  });
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
  const where = policy.sandboxOnly ? " In the sandbox only." : "";
  const text = `${summary}. Needs the permission \`${policy.permission}\`.${where}\n\n${description}`;
  const promised = `${takes === "list" ? "List" : "CallPromise"}<${result}>`;
  return `${renderComment(text, "    ")}    ${name}(${renderParameters(method)}): ${promised};\n`;
}

function renderParameters({ policy, ids, takes, body, ...method }: ResourceMethod): string {
  const input = body
    ? `body${method.isBodyOptional ? "?" : ""}: ${body}`
    : `query${method.isQueryRequired ? "" : "?"}: Query<"${policy.operationId}">`;
  return [
    ...ids.map((name) => `${name}: string`),
    ...(takes ? [input] : []),
    `options?: ${policy.method === "post" ? "PostOptions" : "CallOptions"}`,
  ].join(", ");
}
