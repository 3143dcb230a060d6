import addFormats from "ajv-formats";

/** "fast" accepts the 30th of February. */
const { validate: validateAny } = addFormats.default.get("date-time", "full") as { validate(text: string): boolean };

/** `2026-03-09T14:05:07.123Z`, as we write each moment, on a day that the month has in every year. */
const asWeWrite =
  /^\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * RFC 3339, 5.6, as ajv-formats checks it in its full mode. The pattern comes first, because the full mode alone was
 * half of the cost of checking a page of twenty.
 */
export function isDateTime(text: string): boolean {
  return asWeWrite.test(text) || validateAny(text);
}
