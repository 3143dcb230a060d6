import { set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message = "Decide what a pot is, in a sentence.";

export const cases: readonly Case[] = [
  {
    name: "a schema that nobody described",
    changes: [set("components.schemas.Pot.description", message)],
    says: message,
  },
  {
    name: "an operation that nobody described, whose description has more to say",
    changes: [set("paths./pots.post.description", `${message}\n\nMore.`)],
    says: message,
  },
  {
    name: "an example that nobody chose",
    changes: [set("components.examples", { Pot: { summary: message, value: {} } })],
    says: message,
  },
  {
    name: "a row of a table that nobody filled in",
    changes: [set("components.schemas.Pot.description", `Kinds.\n\n| \`a\` | ${message} |\n`)],
    says: message,
  },
  {
    name: "a text about decisions",
    changes: [set("components.schemas.Pot.description", "Decides what a pot is.")],
    says: null,
  },
];
