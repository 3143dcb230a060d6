import { openapi } from "@gateway/contract";

/** Schemas that callers never see, because envelopes are opened and failures are thrown. */
const unseen = /Envelope$|^(?:Error|.*Meta)$/;

/** The client exports its own meaning under these names. */
const own: readonly string[] = ["ErrorCode", "ErrorDetail", "EventType", "RateLimit"];

type Schema = { type?: string; enum?: unknown; anyOf?: unknown; description?: string };

/**
 * Every schema of resources and of lists of values, by its own name. Resources are interfaces, so that an editor shows
 * their names instead of all their fields.
 */
export function renderTypes(): string {
  // The document is validated against the OpenAPI schema.
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

/** Removes links within the document, which lead nowhere from here. */
export function renderComment(text: string, indent = ""): string {
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .replace(/\[([^\]]+)\]\(#[^)]*\)/g, "$1")
    .split("\n");
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
