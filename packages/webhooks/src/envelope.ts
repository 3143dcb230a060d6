/**
 * The body of a delivery. `Type` and `Payload` are bound by the document: a union of envelopes discriminates on `type`.
 */
export type Envelope<Type extends string = string, Payload extends object = Record<string, unknown>> = {
  /** `evt_<id>`. The same id may come again: a delivery happens at least once. */
  id: string;
  type: Type;
  /** ISO 8601 UTC: when the event happened, not when it was sent. */
  created: string;
  data: { object: Payload };
  /** False in the sandbox. */
  livemode: boolean;
};

/** An event of one of the types of `Payloads`, a table from event type to payload. */
export type EnvelopeOf<Payloads extends Record<string, object>> = {
  [Type in keyof Payloads & string]: Envelope<Type, Payloads[Type]>;
}[keyof Payloads & string];

export type EnvelopeFields<Type extends string, Payload extends object> = {
  id: string;
  type: Type;
  created: Date;
  object: Payload;
  livemode: boolean;
};

/** The keys always come in this order, so one event has one text. Throws a RangeError when `created` is not a date. */
export function createEnvelope<Type extends string, Payload extends object>(
  fields: EnvelopeFields<Type, Payload>,
): Envelope<Type, Payload> {
  return {
    id: fields.id,
    type: fields.type,
    created: fields.created.toISOString(),
    data: { object: fields.object },
    livemode: fields.livemode,
  };
}

/**
 * Whether a parsed body has the shape of an envelope. What is inside `data.object` is the sender's promise, not looked
 * at.
 */
export function isEnvelope(value: unknown): value is Envelope {
  // Object turns a value that is not an object into one without these fields.
  const { id, type, created, livemode, data } = Object(value) as Partial<Record<keyof Envelope, unknown>>;
  // The inner cast claims only that `data` may have an object.
  return (
    [id, type, created].every((text) => typeof text === "string") &&
    typeof livemode === "boolean" &&
    isObject((Object(data) as { object?: unknown }).object)
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
