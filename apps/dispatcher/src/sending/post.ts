import type { AttemptResult } from "@gateway/platform/events";
import { errors, type Dispatcher, type Pool } from "undici";
import { ConnectError } from "./connect-error.ts";
import { isStaleConnection } from "./watch-connection.ts";

export type PostInput = {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
};

const maxReadBytes = 64 * 1024;
const maxKeptBytes = 1024;

/**
 * One POST, to its end within `timeoutMs`. At most 64 KiB of the response are read. Redirects are responses like any
 * other. Never rejects. A kept connection that closed before a byte of the response is replaced by a fresh one. It uses
 * undici's `dispatch`, because a stream and a signal for each response cost a fifth of an attempt's processor time.
 */
export function post(
  pool: Pool,
  openFresh: () => Pool,
  { path, headers, body, timeoutMs }: PostInput,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const answer: Answer = { httpStatus: null, kept: [], sizeBytes: 0 };
    let started: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let isRepeated = false;
    const end = (outcome: AttemptResult["outcome"]): void => {
      if (!isOver) {
        isOver = true;
        clearTimeout(timer);
        resolve(present(answer, outcome));
      }
    };
    const timer = setTimeout(() => {
      end("timeout");
      started?.abort(attemptOver);
    }, timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        started = controller;
        if (isOver) {
          controller.abort(attemptOver);
        }
      },
      onResponseStart: (_controller, statusCode) => {
        // An interim response, such as 103, is not the response.
        answer.httpStatus = statusCode < 200 ? null : statusCode;
      },
      onResponseData: (controller, chunk) => {
        keep(answer, chunk);
        if (answer.sizeBytes >= maxReadBytes) {
          end(outcomeOfStatus(answer.httpStatus));
          controller.abort(attemptOver);
        }
      },
      onResponseEnd: () => end(outcomeOfStatus(answer.httpStatus)),
      onResponseError: (_controller, error) => {
        if (isStaleConnection(error) && !isRepeated && !isOver) {
          isRepeated = true;
          send(openFresh());
        } else {
          end(outcomeOf(error, answer));
        }
      },
    };
    const send = (to: Pool): void => {
      try {
        to.dispatch({ method: "POST", path, headers, body }, handler);
      } catch (error) {
        end(outcomeOf(error, answer));
      }
    };
    send(pool);
  });
}

const attemptOver = new Error("The attempt is over.");

type Answer = { httpStatus: number | null; kept: Buffer[]; sizeBytes: number };

/** Copies the chunk, because it is part of a larger buffer that undici uses again. */
function keep(answer: Answer, chunk: Buffer): void {
  if (answer.sizeBytes < maxKeptBytes) {
    answer.kept.push(Buffer.from(chunk.subarray(0, maxKeptBytes - answer.sizeBytes)));
  }
  answer.sizeBytes += chunk.length;
}

function outcomeOfStatus(status: number | null): AttemptResult["outcome"] {
  return status !== null && status >= 200 && status < 300 ? "delivered" : "http_error";
}

function outcomeOf(error: unknown, { httpStatus }: Answer): AttemptResult["outcome"] {
  if (error instanceof ConnectError) {
    return error.outcome;
  }
  if (error instanceof errors.HeadersOverflowError) {
    return "headers_too_large";
  }
  return isOfAnswer(error, httpStatus !== null) ? "invalid_response" : "connection_failed";
}

/** True when the bytes are not HTTP, or break its rules. A response that ends too early is a fault of the network. */
function isOfAnswer(error: unknown, hasStatus: boolean): boolean {
  if (error instanceof errors.HTTPParserError) {
    return !/EOF/.test(error.message);
  }
  return error instanceof errors.ResponseContentLengthMismatchError
    ? !hasStatus
    : error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message);
}

function present({ httpStatus, kept }: Answer, outcome: AttemptResult["outcome"]): AttemptResult {
  return { outcome, httpStatus, responseStart: httpStatus === null ? null : textOf(Buffer.concat(kept)) };
}

/** Replaces bytes that are not UTF-8, and NUL, which Postgres cannot hold. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\u0000", "\uFFFD");
}
