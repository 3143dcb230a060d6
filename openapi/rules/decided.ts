import type { Rule } from "./rule.ts";

/** The beginning of a string, or of a cell of a table in it. */
const undecided = /(?:^|\| )(Decide [^|\n]+)/;

/** Texts that the scaffold leaves to a person begin with "Decide". Each is an error that names the decision. */
export const decided: Rule = () => ({
  any: (node, context) => {
    for (const [name, text] of Object.entries(node ?? {})) {
      const [, message] = (typeof text === "string" && undecided.exec(text)) || [];
      if (message !== undefined) {
        context.report({ message: message.trim(), location: context.location.child([name]) });
      }
    }
  },
});
