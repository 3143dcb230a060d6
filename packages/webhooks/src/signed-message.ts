/** The body exactly as it came: never an object that was parsed. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The bytes that are signed: `<timestamp>.<body>`. */
export function signedMessage(timestampSeconds: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = `${timestampSeconds}.`;
  const message = new Uint8Array(prefix.length + body.length);
  new TextEncoder().encodeInto(prefix, message);
  message.set(body, prefix.length);
  return message;
}

/**
 * Text in UTF-8; null for the result of a body parser. Looks at the kind, not at the class, because frameworks and test
 * runners have their own classes.
 */
export function bytesOf(body: unknown): Uint8Array | null {
  if (typeof body === "string") {
    return new TextEncoder().encode(body);
  }
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  }
  // A value with a length in bytes that is not a view is an ArrayBuffer, of whichever realm.
  return (body as ArrayBuffer | null)?.byteLength === undefined ? null : new Uint8Array(body as ArrayBuffer);
}

/** Throws a TypeError when bytes are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
