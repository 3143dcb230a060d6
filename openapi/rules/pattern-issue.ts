import type { Rule } from "./rule.ts";

/** A pattern has its sentence: what a caller reads when a text does not fit it. Nobody is shown a regular expression. */
export const patternIssue: Rule = () => ({
  Schema: (schema, context) => {
    if (schema.pattern !== undefined && !isSentence(schema["x-issue"])) {
      context.report({
        message: 'A pattern needs x-issue, which completes "The field ...": "must begin with https://".',
      });
    }
  },
});

/** Words, and no expression that was copied into them. */
function isSentence(issue: unknown): boolean {
  return typeof issue === "string" && /^must (?:be|begin|hold|not|have) /.test(issue) && !/[\\^$[\]]|\(\?/.test(issue);
}
