import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import { text } from "node:stream/consumers";

export type Answer = { status: number; body: unknown };

/** One request on a connection of its own; `options.ca` is the trusted authority. Rejects for other certificates. */
export async function send(
  url: string,
  { body = "", ...options }: RequestOptions & { body?: string | Uint8Array },
): Promise<Answer> {
  const req = request(url, { method: "POST", agent: false, ...options });
  req.end(body);
  // The first argument of this event is the response.
  const [res] = (await once(req, "response")) as [IncomingMessage];
  return { status: res.statusCode ?? 0, body: JSON.parse(await text(res)) };
}
