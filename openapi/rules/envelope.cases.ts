import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

/** Leaves one refusal in the description, so that one message is expected. */
const onlyOneRefusal = [
  set("paths./pots.get.responses", { "400": { $ref: "#/components/responses/Refusal" } }),
  remove("paths./pots.post"),
  remove("paths./pots/{potId}/fill"),
];

export const cases: readonly Case[] = [
  {
    name: "a success without meta",
    changes: [remove("components.schemas.PotEnvelope.properties.meta")],
    says: "Response 201 must be a JSON object that requires data and meta.",
  },
  {
    name: "a success whose data is optional",
    changes: [set("components.schemas.PotEnvelope.required", ["meta"])],
    says: "Response 201 must be a JSON object that requires data and meta.",
  },
  {
    name: "a success that is not JSON",
    changes: [set("paths./pots.get.responses.200.content", {})],
    says: "Response 200 must be a JSON object that requires data and meta.",
  },
  {
    name: "a success whose meta lacks the timestamp",
    changes: [remove("components.schemas.Meta.properties.timestamp")],
    says: "Response 201 must require requestId and timestamp in meta.",
  },
  {
    name: "a refusal in the envelope of a success",
    changes: [
      set("components.responses.Refusal.content.application/json.schema", { $ref: "#/components/schemas/PotEnvelope" }),
      ...onlyOneRefusal,
    ],
    says: "Response 400 must be a JSON object that requires error and meta.",
  },
  {
    name: "a refusal whose code is optional",
    changes: [set("components.schemas.Refused.properties.error.required", ["message"]), ...onlyOneRefusal],
    says: "Response 400 must require code and message in error.",
  },
  {
    name: "a refusal without a request id",
    changes: [remove("components.schemas.Refused.properties.meta.properties.requestId"), ...onlyOneRefusal],
    says: "Response 400 must require requestId in meta.",
  },
];
