import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message = "An object must declare additionalProperties: false, or the schema of its values.";

export const cases: readonly Case[] = [
  {
    name: "an object that says nothing about other properties",
    changes: [remove("components.schemas.Pot.additionalProperties")],
    says: message,
  },
  {
    name: "an object that takes any property",
    changes: [set("components.schemas.Pot.additionalProperties", true)],
    says: message,
  },
  {
    name: "an object that takes properties of any shape",
    changes: [set("components.schemas.Pot.additionalProperties", {})],
    says: message,
  },
  {
    name: "an open object inside another",
    changes: [remove("components.schemas.Refused.properties.error.additionalProperties")],
    says: message,
  },
  {
    name: "an open object that may be null",
    changes: [set("components.schemas.Loose", { type: ["object", "null"] })],
    says: message,
  },
  {
    name: "a map whose values have a schema",
    changes: [set("components.schemas.Pot.additionalProperties", { type: "string" })],
    says: null,
  },
];
