import type { AttemptResult } from "@gateway/platform";
import type { Dispatcher, Pool } from "undici";
import { ConnectError } from "./connect-error.ts";

export type PostInput = {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** From connecting to the last byte of the answer that is read. */
  timeoutMs: number;
};

const maxReadBytes = 64 * 1024;
const maxKeptBytes = 1024;

/**
 * One POST, to its end within `timeoutMs`, whatever the receiver does. Of the answer at most 64 KiB are read: a longer one
 * counts as complete there, and the connection is closed. Redirects are answers like any other. Never rejects.
 */
export async function post(pool: Pool, { path, headers, body, timeoutMs }: PostInput): Promise<AttemptResult> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const answer: Answer = { httpStatus: null, kept: [], sizeBytes: 0 };
  try {
    const response = await pool.request({ method: "POST", path, headers, body, signal: deadline.signal });
    answer.httpStatus = response.statusCode;
    await readInto(answer, response.body);
    return present(answer, isSuccess(response.statusCode) ? "delivered" : "http_error");
  } catch (error) {
    return present(answer, deadline.signal.aborted ? "timeout" : outcomeOf(error));
  } finally {
    clearTimeout(timer);
  }
}

type Answer = { httpStatus: number | null; kept: Buffer[]; sizeBytes: number };

/** Leaving the loop early destroys the stream, and with it the connection. */
async function readInto(answer: Answer, body: Dispatcher.ResponseData["body"]): Promise<void> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (answer.sizeBytes < maxKeptBytes) {
      answer.kept.push(chunk.subarray(0, maxKeptBytes - answer.sizeBytes));
    }
    answer.sizeBytes += chunk.length;
    if (answer.sizeBytes >= maxReadBytes) {
      return;
    }
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function outcomeOf(error: unknown): AttemptResult["outcome"] {
  return error instanceof ConnectError ? error.outcome : "connection_failed";
}

function present({ httpStatus, kept }: Answer, outcome: AttemptResult["outcome"]): AttemptResult {
  return { outcome, httpStatus, responseStart: httpStatus === null ? null : textOf(Buffer.concat(kept)) };
}

/** What is not UTF-8 is replaced, and so is NUL, which Postgres cannot hold. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\u0000", "\uFFFD");
}
