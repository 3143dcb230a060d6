import type { OpenAPI3 } from "openapi-typescript";

/** The error codes as a TypeScript module: `x-codes` of the description's ErrorCode. */
export function renderProblemCodes(description: OpenAPI3): string {
  const codes = Object.entries(schemasOf(description)["ErrorCode"]?.["x-codes"] ?? {});
  const lines = codes.map(([code, { status, title }]) => `  ${code}: ${JSON.stringify({ status, title })},\n`);
  return `export const problemCodes = {\n${lines.join("")}} as const;\n`;
}

/** The prefixes of ids, taken from each schema `*Id` whose pattern is that of a TypeID. */
export function renderIdPrefixes(description: OpenAPI3): string {
  const prefixes = Object.entries(schemasOf(description)).flatMap(([name, { pattern = "" }]) =>
    name.endsWith("Id") ? (/^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1] ?? []) : [],
  );
  const names = [...new Set(prefixes)].toSorted().map((prefix) => `  | ${JSON.stringify(prefix)}`);
  return `export type IdPrefix =\n${names.join("\n")};\n`;
}

type Schema = { pattern?: string; "x-codes"?: Record<string, { status: number; title: string }> };

function schemasOf({ components }: OpenAPI3): Record<string, Schema> {
  // The keywords that this file uses. In a bundle, no component is only a reference.
  return (components?.schemas ?? {}) as Record<string, Schema>;
}
