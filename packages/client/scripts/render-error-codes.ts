import type { Resource } from "./read-resources.ts";

/** Renders the refusal codes of each call, for the types of errors only. The running client does not contain them. */
export function renderErrorCodes(resources: readonly Resource[]): string {
  const lines = resources.flatMap(({ name, methods }) =>
    methods.map(({ name: method, policy }) => {
      const codes = policy.problems.map((code) => JSON.stringify(code)).join(" | ");
      return `  ${JSON.stringify(`${name}.${method}`)}: ${codes};\n`;
    }),
  );
  return [
    "/** The codes of today that the API may refuse a call with, by the call. */\n",
    `export interface CallErrorCodes {\n${lines.join("")}}\n`,
  ].join("");
}
