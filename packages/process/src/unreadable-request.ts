import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { closeGently } from "./close-gently.ts";

/** Bytes that are not a request, or that did not become one in time. */
export type UnreadableRequest = {
  /** `tunnel`: CONNECT requests a tunnel to another host, which only a proxy provides (RFC 9110, 9.3.6). */
  reason: "headersTooLarge" | "tooLate" | "tunnel" | "malformed";
  /** Its message may quote the received bytes, so only its code is for the log. */
  error: NodeJS.ErrnoException;
  remoteAddress: string | undefined;
};

/** `Content-Length` and `Connection` are added. */
type UnreadableAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string };

export type AnswerUnreadable = (request: UnreadableRequest) => UnreadableAnswer | Promise<UnreadableAnswer>;

export const tunnelRefused = "ERR_CONNECT_REFUSED";

const reasons: Readonly<Record<string, UnreadableRequest["reason"]>> = {
  HPE_HEADER_OVERFLOW: "headersTooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "tooLate",
  [tunnelRefused]: "tunnel",
};

/** Responds on a socket that has no response object, then closes it. Never rejects. */
export async function respondToUnreadable(
  error: NodeJS.ErrnoException,
  { socket, answer = answerInText }: { socket: Socket; answer: AnswerUnreadable | undefined },
): Promise<void> {
  // A peer may disconnect while we respond.
  socket.on("error", () => socket.destroy());
  const reason = reasons[error.code ?? ""] ?? "malformed";
  try {
    const { status, headers, body } = await answer({ reason, error, remoteAddress: socket.remoteAddress });
    const lines = Object.entries({
      ...headers,
      "Content-Length": Buffer.byteLength(body),
      Connection: "close",
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
    closeGently(socket);
  } catch {
    socket.destroy();
  }
}

function answerInText({ reason }: UnreadableRequest): UnreadableAnswer {
  return {
    status: reason === "headersTooLarge" ? 431 : 400,
    headers: { "Content-Type": "text/plain" },
    body: "The request could not be read.\n",
  };
}
