import { at, drop, event, field, list, remove, schema } from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** Changes of events: receivers read the events that we send, so an event is judged like a response. */
export const eventSeeds: readonly Seed[] = [
  {
    name: "an event field removed",
    edit: (draft) => {
      remove(at(schema(draft, "Payment"), "properties"), "failureReason");
      drop(list(schema(draft, "Payment"), "required"), "failureReason");
    },
    says: ["breaking response-field-ignored:Payment.failureReason"],
    back: ["additive response-required-field-added:Payment.failureReason"],
  },
  {
    name: "an event field made optional",
    edit: (draft) => drop(list(schema(draft, "Payment"), "required"), "failureReason"),
    says: ["breaking response-field-optional:Payment.failureReason"],
    back: ["additive response-field-required:Payment.failureReason"],
  },
  {
    name: "the type of an event field changed",
    edit: (draft) => {
      schema(draft, "MinorUnits")["type"] = "string";
    },
    says: [
      "breaking request-type-changed:MinorUnits",
      "breaking response-type-changed:MinorUnits",
      "documentation request-text-changed:MinorUnits",
      "documentation response-text-changed:MinorUnits",
    ],
    back: [
      "breaking request-type-changed:MinorUnits",
      "breaking response-type-changed:MinorUnits",
      "documentation request-text-changed:MinorUnits",
      "documentation response-text-changed:MinorUnits",
    ],
  },
  {
    name: "an event field that may be null",
    edit: (draft) => {
      const amount = field(draft, "Payment", "amount");
      at(schema(draft, "Payment"), "properties")["amount"] = { anyOf: [amount, { type: "null" }] };
    },
    says: ["breaking response-null-allowed:Payment.amount"],
    back: ["additive response-null-refused:Payment.amount"],
  },
  {
    name: "an event field added, optional",
    edit: (draft) => {
      at(schema(draft, "Payment"), "properties")["reference"] = { type: "string" };
    },
    says: ["additive response-field-added:Payment.reference"],
    back: ["breaking response-field-ignored:Payment.reference"],
  },
  {
    name: "an event field added, required",
    edit: (draft) => {
      at(schema(draft, "Payment"), "properties")["reference"] = { type: "string" };
      list(schema(draft, "Payment"), "required").push("reference");
    },
    says: ["additive response-required-field-added:Payment.reference"],
    back: ["breaking response-field-ignored:Payment.reference"],
  },
  {
    name: "an event field always there now",
    edit: (draft) => {
      at(schema(draft, "PaymentSettledEvent"), "properties")["sequence"] = { type: "integer" };
      list(schema(draft, "PaymentSettledEvent"), "required").push("sequence");
    },
    says: ["additive event-required-field-added:PaymentSettledEvent.sequence"],
    back: ["breaking event-field-ignored:PaymentSettledEvent.sequence"],
  },
  {
    name: "an event field of the whole envelope removed",
    edit: (draft) => {
      remove(at(schema(draft, "PaymentSettledEvent"), "properties"), "livemode");
      drop(list(schema(draft, "PaymentSettledEvent"), "required"), "livemode");
    },
    says: ["breaking event-field-ignored:PaymentSettledEvent.livemode"],
    back: ["additive event-required-field-added:PaymentSettledEvent.livemode"],
  },
  {
    name: "an event type added",
    edit: (draft) => {
      at(draft, "webhooks")["payment.returned"] = { post: event(draft, "payment.settled") };
      list(schema(draft, "EventType"), "enum").push("payment.returned");
    },
    says: [
      "additive event-type-added:payment.returned",
      "additive request-value-added:EventType=payment.returned",
      "additive response-listed-value-added:AnyEventType=payment.returned",
    ],
    back: [
      "attention response-value-removed:AnyEventType=payment.returned",
      "breaking event-type-removed:payment.returned",
      "breaking request-value-removed:EventType=payment.returned",
    ],
  },
  {
    name: "an event type removed",
    edit: (draft) => {
      remove(at(draft, "webhooks"), "payment.failed");
      drop(list(schema(draft, "EventType"), "enum"), "payment.failed");
    },
    says: [
      "breaking event-type-removed:payment.failed",
      "breaking request-value-removed:EventType=payment.failed",
      "attention response-value-removed:AnyEventType=payment.failed",
    ],
    back: [
      "additive event-type-added:payment.failed",
      "additive request-value-added:EventType=payment.failed",
      "additive response-listed-value-added:AnyEventType=payment.failed",
    ],
  },
  {
    name: "a value added to an event's status",
    edit: (draft) => {
      list(schema(draft, "PaymentStatus"), "enum").push("returned");
    },
    says: [
      "attention response-value-added:PaymentStatus=returned",
      "additive request-value-added:PaymentStatus=returned",
    ],
    back: [
      "attention response-value-removed:PaymentStatus=returned",
      "breaking request-value-removed:PaymentStatus=returned",
    ],
  },
  {
    name: "an event that may be longer",
    edit: (draft) => {
      field(draft, "Payment", "failureReason")["maxLength"] = 5000;
    },
    says: ["attention response-limit-relaxed:Payment.failureReason=maxLength=5000"],
    back: ["additive response-limit-tightened:Payment.failureReason=maxLength=500"],
  },
  {
    name: "an event that is shorter",
    edit: (draft) => {
      field(draft, "Payment", "failureReason")["maxLength"] = 100;
    },
    says: ["additive response-limit-tightened:Payment.failureReason=maxLength=100"],
    back: ["attention response-limit-relaxed:Payment.failureReason=maxLength=500"],
  },
  {
    name: "an event that is another by its constant",
    edit: (draft) => {
      field(draft, "PaymentSettledEvent", "type")["const"] = "payment.done";
    },
    says: ["breaking event-values-replaced:PaymentSettledEvent.type"],
    back: ["breaking event-values-replaced:PaymentSettledEvent.type"],
  },
  {
    name: "headers no longer sent",
    edit: (draft) => {
      event(draft, "kyc.verified")["parameters"] = [];
    },
    says: [
      "breaking event-header-removed:parameters/CausingRequest",
      "breaking event-header-removed:parameters/ServiceSignature",
    ],
    back: [
      "additive event-header-added:parameters/CausingRequest",
      "additive event-header-added:parameters/ServiceSignature",
    ],
  },
  {
    name: "a signature that may be absent",
    edit: (draft) => {
      at(draft, "components", "parameters", "ServiceSignature")["required"] = false;
    },
    says: ["breaking event-header-optional:parameters/ServiceSignature"],
    back: ["additive event-header-required:parameters/ServiceSignature"],
  },
  {
    name: "a header added to deliveries",
    edit: (draft) => {
      const header = { name: "X-Attempt", in: "header", required: true, schema: { type: "integer" } };
      list(event(draft, "kyc.verified"), "parameters").push(header);
    },
    says: ["additive event-header-added:kyc.verified.header.X-Attempt"],
    back: ["breaking event-header-removed:kyc.verified.header.X-Attempt"],
  },
  {
    name: "an answer of receivers no longer taken",
    edit: (draft) => {
      const responses = at(event(draft, "kyc.verified"), "responses");
      responses["200"] = at(responses, "2XX");
      remove(responses, "2XX");
    },
    says: ["breaking answer-status-removed:kyc.verified=2XX", "additive answer-status-added:kyc.verified=200"],
    back: ["additive answer-status-added:kyc.verified=2XX", "breaking answer-status-removed:kyc.verified=200"],
  },
  {
    name: "a header written otherwise",
    edit: (draft) => {
      at(draft, "components", "parameters", "ServiceSignature")["style"] = "label";
    },
    says: ["breaking event-header-encoding-changed:parameters/ServiceSignature"],
    back: ["breaking event-header-encoding-changed:parameters/ServiceSignature"],
  },
  {
    name: "deliveries that may have no body",
    edit: (draft) => {
      at(event(draft, "kyc.verified"), "requestBody")["required"] = false;
    },
    says: ["breaking event-body-optional:kyc.verified"],
    back: ["additive event-body-required:kyc.verified"],
  },
  {
    name: "an event of another service, for another cause",
    edit: (draft) => {
      Object.assign(at(draft, "webhooks", "kyc.verified"), { "x-service": "oracle", "x-cause": "It rains." });
    },
    says: ["documentation operation-text-changed:kyc.verified"],
    back: ["documentation operation-text-changed:kyc.verified"],
  },
  {
    name: "deliveries in another media type",
    edit: (draft) => {
      const content = at(event(draft, "kyc.verified"), "requestBody", "content");
      content["application/cloudevents+json"] = at(content, "application/json");
      remove(content, "application/json");
    },
    says: [
      "breaking event-media-type-removed:kyc.verified.body=application/json",
      "attention event-media-type-added:kyc.verified.body=application/cloudevents_json",
    ],
    back: [
      "attention event-media-type-added:kyc.verified.body=application/json",
      "breaking event-media-type-removed:kyc.verified.body=application/cloudevents_json",
    ],
  },
];
