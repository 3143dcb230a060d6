import { createRequestIds } from "@gateway/kernel";
import { closeGently } from "@gateway/process";
import type { Socket } from "node:net";
import type { Observer } from "./observer.ts";

/** Answers what never became a request: broken HTTP, headers over 16 KiB, a client that was too slow. Then the connection is closed. */
export function answerUnreadableRequest({ observer }: { observer: Pick<Observer, "unreadableRequest"> }) {
  const nextRequestId = createRequestIds();
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A peer that goes away while we answer is no news.
    socket.on("error", () => socket.destroy());
    const requestId = nextRequestId();
    const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
    const status = isTooLarge ? 431 : 400;
    observer.unreadableRequest(requestId, status, error);
    const body = JSON.stringify({ error: "invalid_request", error_description: "The request could not be read." });
    const headers = [
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    const reason = isTooLarge ? "Request Header Fields Too Large" : "Bad Request";
    socket.write(`HTTP/1.1 ${status} ${reason}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
    closeGently(socket);
  };
}
