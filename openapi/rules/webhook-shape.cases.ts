import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const post = "components.pathItems.PotFilled.post";
const event = "components.schemas.PotFilledEvent";
const noEvent = "The webhook pot_filled must carry id, type, created, data.object and livemode.";
const unsigned = "The webhook pot_filled must require the header X-Service-Signature.";

export const cases: readonly Case[] = [
  {
    name: "a webhook that is no POST",
    changes: [set("components.pathItems.PotFilled", {})],
    says: "The webhook pot_filled must be a POST.",
  },
  {
    name: "a webhook without a body",
    changes: [remove(`${post}.requestBody`)],
    says: "The webhook pot_filled must have a body.",
  },
  {
    name: "a webhook without a signature",
    changes: [set("components.parameters.ServiceSignature.name", "X-Other")],
    says: unsigned,
  },
  {
    name: "a webhook that does not name the request that caused it",
    changes: [set("components.parameters.CausingRequest.name", "X-Other")],
    says: "The webhook pot_filled must have the header X-Request-Id.",
  },
  {
    name: "a webhook whose signature is optional",
    changes: [set("components.parameters.ServiceSignature.required", false)],
    says: unsigned,
  },
  { name: "an event without livemode", changes: [remove(`${event}.properties.livemode`)], says: noEvent },
  {
    name: "an event whose id is optional",
    changes: [set(`${event}.required`, ["type", "created", "data", "livemode"])],
    says: noEvent,
  },
  {
    name: "an event whose data has no object",
    changes: [remove(`${event}.properties.data.properties.object`)],
    says: noEvent,
  },
  {
    name: "an event whose type is another one's name",
    changes: [set(`${event}.properties.type.const`, "pot_broken")],
    says: "The webhook pot_filled must have its name as the const of type.",
  },
  {
    name: "an event whose type may be any text",
    changes: [remove(`${event}.properties.type.const`)],
    says: "The webhook pot_filled must have its name as the const of type.",
  },
  {
    name: "a webhook that does not say which answer it takes for a success",
    changes: [remove(`${post}.responses.2XX`)],
    says: "The webhook pot_filled must say what the response 2XX means.",
  },
  {
    name: "a webhook that does not say what comes of other answers",
    changes: [remove(`${post}.responses.default`)],
    says: "The webhook pot_filled must say what the response default means.",
  },
];
