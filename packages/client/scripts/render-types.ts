import { openapi } from "@gateway/contract";

/** Envelopes are opened, failures are thrown: nobody holds one of these. */
const unseen = /Envelope$|^(?:Error|.*Meta)$/;

/** These mean something of the client's own, which is exported under the same name. */
const own: readonly string[] = ["ErrorCode", "ErrorDetail", "EventType", "RateLimit"];

type Schema = { type?: string; enum?: unknown; anyOf?: unknown; description?: string };

/**
 * Every schema of things and of lists of values by its own name. Things are interfaces, so that an editor shows their
 * names and not all that is in them.
 */
export function renderTypes(): string {
  // The document is held against the OpenAPI schema.
  const schemas = Object.entries(openapi().components["schemas"] as Record<string, Schema>);
  const named = schemas.filter(([name, schema]) => isNamed(schema) && !unseen.test(name) && !own.includes(name));
  return [
    'import type { PublishedSchemas } from "@gateway/contract/published";\n\n',
    "type Schema<Name extends keyof PublishedSchemas> = PublishedSchemas[Name];\n",
    ...named.map(renderType),
  ].join("");
}

function isNamed(schema: Schema): boolean {
  return schema.type === "object" || schema.enum !== undefined || schema.anyOf !== undefined;
}

function renderType([name, { type, description = "" }]: [string, Schema]): string {
  const declaration =
    type === "object"
      ? `export interface ${name} extends Schema<"${name}"> {}`
      : `export type ${name} = Schema<"${name}">;`;
  return `\n${renderComment(description)}${declaration}\n`;
}

/** Links within the document lead nowhere from here. */
export function renderComment(text: string, indent = ""): string {
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .replace(/\[([^\]]+)\]\(#[^)]*\)/g, "$1")
    .split("\n");
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
