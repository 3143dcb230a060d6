/** The body exactly as it came: never an object that was parsed. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The bytes that are signed: `<timestamp>.<body>`, text in UTF-8. */
export function signedMessage(timestampSeconds: number, body: RawBody): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (typeof body === "string") {
    return encoder.encode(`${timestampSeconds}.${body}`);
  }
  const prefix = encoder.encode(`${timestampSeconds}.`);
  const message = new Uint8Array(prefix.length + body.byteLength);
  message.set(prefix);
  message.set(bytesOf(body), prefix.length);
  return message;
}

/** False for what a body parser leaves. Looks at the kind, not at the class: frameworks and test runners have classes of their own. */
export function isRawBody(body: unknown): body is RawBody {
  return typeof body === "string" || ArrayBuffer.isView(body) || isArrayBuffer(body);
}

/** Throws a TypeError when bytes are not UTF-8. */
export function textOf(body: RawBody): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(body));
}

function bytesOf(body: Uint8Array | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
}

function isArrayBuffer(body: unknown): boolean {
  return Object.prototype.toString.call(body) === "[object ArrayBuffer]";
}
