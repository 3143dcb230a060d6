import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message = "A body must have at least one named example.";

export const cases: readonly Case[] = [
  {
    name: "a request body without an example",
    changes: [remove("paths./pots.post.requestBody.content.application/json.examples")],
    says: message,
  },
  {
    name: "a response without an example",
    changes: [remove("components.responses.Later.content.application/json.examples")],
    says: message,
  },
  {
    name: "a webhook without an example",
    changes: [remove("components.pathItems.PotFilled.post.requestBody.content.application/json.examples")],
    says: message,
  },
  {
    name: "an empty list of examples",
    changes: [set("components.responses.Later.content.application/json.examples", {})],
    says: message,
  },
];
