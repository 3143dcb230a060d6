import { WebhookVerificationError } from "@gateway/webhooks";

/** A `Request` of the Fetch standard, or a request of Node's HTTP server, Express included. */
export type RawBodySource =
  | { arrayBuffer(): Promise<ArrayBuffer>; readonly bodyUsed: boolean }
  | (AsyncIterable<Uint8Array> & { readonly body?: unknown; readonly readableEnded?: boolean });

/** Events are smaller. */
const largestBytes = 1_048_576;

/**
 * The bytes of a delivery's body, before any parser. For Express, it is the result of `express.raw()` or
 * `express.text()` in `req.body`, or the stream itself if no parser ran. Throws a WebhookVerificationError with
 * `body_not_raw` when a parser such as `express.json()` ran first and the bytes are gone. Throws a RangeError for more
 * than 1 MiB.
 */
export async function readRawBody(request: RawBodySource): Promise<Uint8Array | string> {
  if ("arrayBuffer" in request) {
    return new Uint8Array(await (request.bodyUsed ? refuse() : request.arrayBuffer()));
  }
  const { body, readableEnded } = request;
  if (typeof body === "string" || body instanceof Uint8Array) {
    return body;
  }
  return readableEnded ? refuse() : collect(request);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    if (sizeBytes > largestBytes) {
      throw new RangeError(`The body is larger than ${largestBytes} bytes: no event is.`);
    }
    chunks.push(chunk);
  }
  // No stream of a request gives bytes of a SharedArrayBuffer, which a Blob would refuse.
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function refuse(): never {
  throw new WebhookVerificationError("body_not_raw");
}
