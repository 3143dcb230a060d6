import type { Rule } from "./rule.ts";

/** A pattern has the sentence that a caller reads when a string does not fit it. */
export const patternIssue: Rule = () => ({
  Schema: (schema, context) => {
    if (schema.pattern !== undefined && !isSentence(schema["x-issue"])) {
      context.report({
        message: 'A pattern needs x-issue, which completes "The field ...": "must begin with https://".',
      });
    }
    const mistakes = schema["x-mistakes"] ?? [];
    if (!Array.isArray(mistakes) || !mistakes.every(isMistake)) {
      context.report({
        message:
          'Each of x-mistakes is { pattern, issue }: what callers often send, and what completes "The field ..." then.',
      });
    }
  },
});

function isMistake(value: unknown): boolean {
  // Object turns a value that is not an object into one without these fields.
  const { pattern, issue } = Object(value) as { pattern?: unknown; issue?: unknown };
  return typeof pattern === "string" && /^\^.*\$$/.test(pattern) && isSentence(issue);
}

/** Words, and no expression that was copied into them. */
function isSentence(issue: unknown): boolean {
  return typeof issue === "string" && /^must (?:be|begin|hold|not|have) /.test(issue) && !/[\\^$[\]]|\(\?/.test(issue);
}
