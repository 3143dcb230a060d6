import type { IncomingMessage } from "node:http";

/** The fields of a form, by name; a name that comes twice has no value. */
export type Form = { get(name: string): string | null };

/** The body is not a form of our pages. `status` is the status of the response. */
export class UnreadableForm extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

/** A passkey's credential is the longest field of a form. */
const maxFormBytes = 32 * 1024;
const maxFields = 50;

/** Rejects with an UnreadableForm; a connection that breaks off rejects too. */
export async function readForm(req: IncomingMessage): Promise<Form> {
  return parseForm(await readFormText(req, { maxBytes: maxFormBytes }));
}

export async function readFormText(req: IncomingMessage, { maxBytes }: { maxBytes: number }): Promise<string> {
  const type = (req.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new UnreadableForm(415, "The request is not a form. Send it from the page.");
  }
  return readBody(req, maxBytes);
}

async function readBody(req: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The request has no encoding set, so its chunks are bytes.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new UnreadableForm(413, "The form is too long. Shorten what you entered.");
    }
    chunks.push(chunk);
  }
  return decodeUtf8(Buffer.concat(chunks));
}

/** URLSearchParams would replace invalid UTF-8 with U+FFFD, and so change the value that was sent. */
function parseForm(body: string): Form {
  const pairs = body.split("&").filter((pair) => pair !== "");
  if (pairs.length > maxFields) {
    throw new UnreadableForm(400, "The form has more fields than any of our pages.");
  }
  const values = new Map<string, string | null>();
  for (const pair of pairs) {
    const [name = "", ...rest] = pair.split("=");
    const key = decodePart(name);
    values.set(key, values.has(key) ? null : decodePart(rest.join("=")));
  }
  return { get: (name) => values.get(name) ?? null };
}

function decodePart(text: string): string {
  try {
    // Throws for invalid UTF-8, including overlong forms and halves of surrogate pairs.
    const value = decodeURIComponent(text.replaceAll("+", " "));
    if (value.includes("\0")) {
      throw new URIError("NUL");
    }
    return value;
  } catch {
    throw new UnreadableForm(400, "Your input has characters that are not text. Enter it again.");
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnreadableForm(400, "Your input has characters that are not text. Enter it again.");
  }
}
