import { Problem } from "@gateway/contract";
import { createRequestIds } from "@gateway/kernel";
import { bucketOfAddress, type RateLimiter } from "@gateway/limits";
import { closeGently } from "@gateway/process";
import type { Socket } from "node:net";
import type { Observer } from "./observer.ts";
import { anonymousLimit } from "./pipeline/limit-rate.ts";
import { headersOf, problemBody } from "./pipeline/respond.ts";

/**
 * Answers what never became a request: broken HTTP, headers over 16 KiB, a client that was too slow. Counted by address and
 * worn in the envelope like every other answer, then the connection is closed, for its bytes cannot be trusted.
 */
export function answerUnreadableRequest(deps: { rateLimiter: RateLimiter; observer: Observer }) {
  const nextRequestId = createRequestIds();
  return async (error: NodeJS.ErrnoException, socket: Socket): Promise<void> => {
    // A peer that goes away while we answer is no news.
    socket.on("error", () => socket.destroy());
    const requestId = nextRequestId();
    const problem = problemOfParseError(error);
    const rateLimit = await deps.rateLimiter.consume(bucketOfAddress(socket.remoteAddress), anonymousLimit);
    deps.observer.unreadableRequest(requestId, problem, error);
    const body = problemBody(requestId, problem);
    const headers = {
      ...headersOf({ requestId, rateLimit }),
      "Content-Length": String(Buffer.byteLength(body)),
      Connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 ${problem.status} ${reasons[problem.status] ?? "Bad Request"}\r\n${lines.join("")}\r\n${body}`,
    );
    closeGently(socket);
  };
}

const reasons: Readonly<Record<number, string>> = { 431: "Request Header Fields Too Large" };

function problemOfParseError(error: NodeJS.ErrnoException): Problem {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("HEADERS_TOO_LARGE", "The request line and headers are larger than 16384 bytes.", {
        cause: error,
      });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Problem(
        "INVALID_REQUEST",
        "The request did not arrive in time: headers within 10 s, all of it within 20 s.",
        { cause: error },
      );
    case "ERR_CONNECT_REFUSED":
      return new Problem("INVALID_REQUEST", "CONNECT asks for a tunnel, and this is no proxy.", { cause: error });
    default:
      return new Problem("INVALID_REQUEST", "The request is not valid HTTP/1.1.", { cause: error });
  }
}
