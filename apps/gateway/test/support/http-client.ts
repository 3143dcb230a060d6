import { request, type Agent } from "node:http";

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** The header names as sent, with repetitions. */
  rawHeaders: readonly string[];
  text: string;
  /** The parsed body; undefined when it is empty. Throws when the body is not JSON, because every response is. */
  json: unknown;
};

export type Ask = {
  method?: string;
  /** The request target exactly as it goes over the wire. */
  target: string;
  /** A list of values sends the header several times. */
  headers?: Record<string, string | string[]>;
  /** Text and bytes go as they are, anything else as JSON. */
  body?: unknown;
};

/** One real HTTP request, with nothing normalised on the way. */
export function ask(port: number, { method = "GET", target, headers = {}, body }: Ask, agent?: Agent): Promise<Answer> {
  const bytes = bytesOf(body);
  const sent: Record<string, string | string[]> = { ...headers };
  if (bytes && !hasHeader(sent, "content-type") && !isRaw(body)) {
    sent["Content-Type"] = "application/json";
  }
  if (bytes && !hasHeader(sent, "content-length") && !hasHeader(sent, "transfer-encoding")) {
    sent["Content-Length"] = String(bytes.length);
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: "127.0.0.1", method, path: target, headers: sent, agent: agent ?? false },
      (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.on("error", reject);
        res.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: res.statusCode ?? 0,
            // Our responses repeat no header, so each is one string.
            headers: res.headers as Record<string, string>,
            rawHeaders: res.rawHeaders,
            text,
            json: text === "" ? undefined : JSON.parse(text),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(bytes);
  });
}

function isRaw(body: unknown): body is string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body);
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) {
    return undefined;
  }
  return isRaw(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

function hasHeader(headers: object, name: string): boolean {
  return Object.keys(headers).some((candidate) => candidate.toLowerCase() === name);
}
