import type { Schema } from "../rules/rule.ts";

type Code = { status: number; meaning: string };

/**
 * A schema with `x-codes` says each code once; here it gets them as its enum, and as a table at the end of its
 * description.
 */
export function listCodes() {
  return {
    Schema: (schema: Schema & { description?: string; "x-codes"?: Record<string, Code> }): void => {
      if (schema["x-codes"] === undefined || schema.enum !== undefined) {
        return;
      }
      const codes = Object.entries(schema["x-codes"]);
      const rows = codes.map(([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`);
      schema.enum = codes.map(([code]) => code);
      schema.description = [schema.description, "", "| Code | Status | Meaning |", "|---|---|---|", ...rows].join("\n");
    },
  };
}
