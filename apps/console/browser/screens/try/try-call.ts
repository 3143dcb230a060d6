import { createClient } from "gateway-api-client";
import { callApi, faultOf, type Call, type CallFault } from "../../data/calls.ts";

export type TryAnswer = {
  /** Null when no response arrived. */
  status: number | null;
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
  durationMs: number;
  error: unknown;
  fault: CallFault | null;
};

/** The headers that a reader acts on. The browser's own tools list the rest. */
const shownHeaders = /^(?:x-request-id|x-ratelimit-.+|retry-after|idempotency-replayed|www-authenticate|content-type)$/;

/** Longer than the longest wait of an operation, which is 25 s. */
const timeoutMs = 40_000;

/** Sends one request in the session of this page, which counts as a program's call (docs/adr/0065). Never rejects. */
export async function sendTry(call: Call, signal: AbortSignal): Promise<TryAnswer> {
  let seen: { status: number; headers: [string, string][]; text: string } | null = null;
  const client = createClient({
    baseUrl: location.origin,
    session: "cookie",
    maxRetries: 0,
    timeoutMs,
    tryTimeoutMs: timeoutMs,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("X-Console", "try");
      const response = await fetch(url, { ...init, headers });
      const text = await response.clone().text();
      seen = {
        status: response.status,
        headers: [...response.headers].filter(([name]) => shownHeaders.test(name)),
        text,
      };
      return response;
    },
  });
  const startedAtMs = performance.now();
  let error: unknown = null;
  try {
    await callApi(call, {
      signal,
      client,
      ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
    });
  } catch (thrown) {
    error = thrown;
  }
  const { status, headers, text } = seen ?? { status: null, headers: [], text: "" };
  const durationMs = performance.now() - startedAtMs;
  return { status, headers, text, durationMs, error, fault: error === null ? null : faultOf(error) };
}
