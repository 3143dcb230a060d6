import type { GatewayError } from "./errors/gateway-error.ts";

/** One try of a call. It holds no credential and no body, for both carry secrets. */
export type RequestEvent = {
  method: string;
  url: string;
  /** The same at every try of a POST; null for other methods. */
  idempotencyKey: string | null;
  /** Counts from 1. */
  tryNumber: number;
};

export type ResponseEvent = RequestEvent & {
  status: number;
  /** Names the request in the gateway's log. */
  requestId: string | null;
  headers: Headers;
  /** From the request to the last byte of the response. */
  durationMs: number;
};

export type RetryEvent = RequestEvent & {
  /** Why this try failed. */
  error: GatewayError;
  /** Until the next one. */
  delayMs: number;
};

/**
 * They watch, for logs and traces: nothing waits for them, and what they throw or reject with harms no call. It is an
 * unhandled rejection, which the platform reports.
 */
export type Hooks = {
  /** Before each request, also the one with a renewed token. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** After each whole answer, a refusal too. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Before the wait for the next try. */
  onRetry?: ((event: RetryEvent) => unknown) | undefined;
};

/** Runs the hook at once, up to where it waits itself. */
export function callHook<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  void (async () => hook?.(event))();
}
