import { setTimeout as delay } from "node:timers/promises";

export type Call = { method: "GET" | "POST" | "PATCH" | "DELETE"; path: string; body?: object };

/** The final response. `code` is that of a refusal. */
export type Answered = { status: number; code: string | null; data: unknown; text: string };

export type Caller = {
  /**
   * Repeats the request with the same key until it gets a response of the operation. After `putOffMs` it returns the
   * last response, or one of status 0 if there was none. Whether the operation happened is then unknown.
   */
  call(call: Call, credentials: { key: string; idempotencyKey: string }): Promise<Answered>;
  /** The number of tries without a response of the operation, because a gateway or the database was away. */
  lostTries(): number;
};

export type CallerOptions = {
  /** The port of a working gateway, or null while none works. */
  findPort(): number | null;
  signal: AbortSignal;
  /** The time in ms for which a request may be repeated. */
  putOffMs?: number;
};

/** The time limit of one try. */
const patienceMs = 20_000;
/** Another try with the same key is still running, or the database is away. */
const passing: readonly (string | null)[] = ["IDEMPOTENCY_IN_PROGRESS", "UNAVAILABLE"];

/** A killed gateway or a crashed database is back in seconds. */
const longestPutOffMs = 60_000;
const unanswered: Answered = { status: 0, code: null, data: null, text: "was not answered" };

export function createCaller({ findPort, signal, putOffMs = longestPutOffMs }: CallerOptions): Caller {
  let lostTries = 0;
  return {
    lostTries: () => lostTries,
    call: async (call, credentials) => {
      const startedAt = performance.now();
      for (;;) {
        const port = findPort();
        const answer = port === null ? null : await tryOnce(port, call, credentials).catch(() => null);
        const isPutOff = !answer || passing.includes(answer.code);
        if (!isPutOff || performance.now() - startedAt > putOffMs) {
          return answer ?? unanswered;
        }
        lostTries += 1;
        await delay(100, null, { signal });
      }
    },
  };
}

async function tryOnce(
  port: number,
  { method, path, body }: Call,
  { key, idempotencyKey }: { key: string; idempotencyKey: string },
): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      "X-API-Key": key,
      ...(body && { "Content-Type": "application/json" }),
      ...(method === "POST" && { "Idempotency-Key": idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  // The gateway responds with its envelope: data, or an error with a code.
  const { data, error } = JSON.parse(text) as { data?: unknown; error?: { code: string } };
  return { status: response.status, code: error?.code ?? null, data: data ?? null, text };
}
