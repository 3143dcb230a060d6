import type { UpstreamAnswer } from "./exchange.ts";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

const jsonContentType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object of an upstream's response. Throws for any other content, because the document has only objects. */
export function readJson({ contentType, contentEncoding, body }: UpstreamAnswer): Record<string, unknown> {
  if (!jsonContentType.test(contentType) || !["", "identity"].includes(contentEncoding.toLowerCase())) {
    throw upstreamInvalidAnswer("The response is not plain application/json.");
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    // The engine's message quotes the response.
    throw upstreamInvalidAnswer("The response is not JSON in UTF-8.");
  }
  if (!isObject(value)) {
    throw upstreamInvalidAnswer("The response is not a JSON object.");
  }
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
