import type { Rule } from "./rule.ts";

/** At the beginning of a text, or of a cell of a table in it. */
const undecided = /(?:^|\| )(Decide [^|\n]+)/;

/** What the scaffold leaves to a person begins with "Decide", and is an error that says what to decide. */
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
