/** The options that one call may set differently from its client. */
export type CallOptions = {
  /** Ends the call: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For all tries and the waits between them together. */
  timeoutMs?: number | undefined;
  /** For one try, from the connection to the last byte. */
  tryTimeoutMs?: number | undefined;
  /** How often a call that failed for a while is repeated; 0 is never. */
  maxRetries?: number | undefined;
  /** Sent in addition to the client's own, such as `traceparent`. */
  headers?: Readonly<Record<string, string>> | undefined;
};

export type PostOptions = CallOptions & {
  /**
   * The name of this piece of work, 1 to 255 visible ASCII characters. The same name does it once in 24 hours, even
   * when the process is restarted in between. Without it, each call gets a random one for its own retries.
   */
  idempotencyKey?: string | undefined;
};

/** All numbers are set: those that the client was created with, or the defaults. */
export type Limits = { timeoutMs: number; tryTimeoutMs: number; maxRetries: number };

/**
 * 90 s is long enough to wait out a whole window of the rate limit, which is a minute, and to list on. 10 s for one
 * try: the gateway itself gives up after 2 s when its database is away.
 */
export const defaultLimits: Limits = { timeoutMs: 90_000, tryTimeoutMs: 10_000, maxRetries: 3 };
