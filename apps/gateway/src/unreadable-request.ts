import { Problem } from "@gateway/contract";
import { createRequestIds, type Clock } from "@gateway/kernel";
import { bucketOfAddress, type RateLimiter } from "@gateway/limits";
import type { AnswerUnreadable, UnreadableRequest } from "@gateway/process";
import type { GatewayObserver } from "./observer.ts";
import { anonymousLimit } from "./pipeline/limit-rate.ts";
import { headersOf, problemBody } from "./pipeline/respond.ts";

/** Bytes that did not become a request are counted by address. Their refusal has the usual envelope. */
export function answerUnreadableRequest(deps: {
  rateLimiter: RateLimiter;
  observer: GatewayObserver;
  docsUrl: string | null;
  clock: Clock;
}): AnswerUnreadable {
  const nextRequestId = createRequestIds(deps.clock);
  return async (request) => {
    const requestId = nextRequestId();
    const problem = problemOf(request);
    const rateLimit = await deps.rateLimiter.consume(bucketOfAddress(request.remoteAddress), anonymousLimit);
    deps.observer.unreadableRequest(requestId, problem, request.error);
    return {
      status: problem.status,
      headers: headersOf({ requestId, rateLimit }),
      body: problemBody(requestId, problem, deps.docsUrl),
    };
  };
}

function problemOf({ reason, error: cause }: UnreadableRequest): Problem {
  switch (reason) {
    case "headersTooLarge":
      return new Problem("HEADERS_TOO_LARGE", "The request line and the headers are over 16 KiB.", { cause });
    case "tooLate":
      return new Problem(
        "INVALID_REQUEST",
        "The request did not arrive in time: headers within 10 s, all of it within 20 s.",
        { cause },
      );
    case "tunnel":
      return new Problem("INVALID_REQUEST", "CONNECT asks for a tunnel, but this server is not a proxy.", { cause });
    case "malformed":
      return new Problem("INVALID_REQUEST", "The request is not valid HTTP/1.1.", { cause });
  }
}
