import { ConnectionError, TimeoutError } from "../errors/answer-errors.ts";
import { nameOf } from "./name-of.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Exchange = {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  timeoutMs: number;
  signals: readonly AbortSignal[];
};

/** An answer that arrived whole. */
export type Answer = { response: Response; text: string };

/**
 * One request and its whole answer. Throws a TimeoutError or a ConnectionError without one, the signal's reason when a signal aborts.
 * One controller and one timer: `AbortSignal.timeout` and `AbortSignal.any` cost several times as much on Node, on every call.
 * Redirects are not followed: they would carry an API key to wherever they point.
 */
export async function exchange(fetch: Fetch, request: Exchange): Promise<Answer> {
  const { method, url, headers, body = null, timeoutMs, signals } = request;
  signals.forEach((signal) => signal.throwIfAborted());
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signals.forEach((signal) => signal.addEventListener("abort", abort));
  try {
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal: stop.signal });
    return { response, text: await response.text() };
  } catch (cause) {
    signals.forEach((signal) => signal.throwIfAborted());
    const name = nameOf(request);
    throw stop.signal.aborted
      ? new TimeoutError(`${name}: no answer within ${Math.round(timeoutMs)} ms.`, {
          status: null,
          code: "TIMEOUT",
          cause,
        })
      : new ConnectionError(`${name}: the connection failed.`, { status: null, code: "CONNECTION_FAILED", cause });
  } finally {
    clearTimeout(timer);
    signals.forEach((signal) => signal.removeEventListener("abort", abort));
  }
}
