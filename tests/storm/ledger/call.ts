import { setTimeout as delay } from "node:timers/promises";

export type Call = { method: "GET" | "POST" | "PATCH" | "DELETE"; path: string; body?: object };

/** What was answered in the end. `code`: of a refusal. */
export type Answered = { status: number; code: string | null; data: unknown; text: string };

export type Caller = {
  /**
   * Until it is answered: the same request again, under the same key, after each try that was not. Who is put off for
   * too long gets what the last try brought, of status 0 if that was nothing; whether the operation happened is then
   * not known.
   */
  call(call: Call, credentials: { key: string; idempotencyKey: string }): Promise<Answered>;
  /** Tries that brought no answer of the operation, because a gateway or the database was away. */
  lostTries(): number;
};

export type CallerOptions = {
  /** Of a gateway that works, or null while none does. */
  findPort(): number | null;
  signal: AbortSignal;
  /** How long a request may be put off. */
  putOffMs?: number;
};

/** How long one try may take. */
const patienceMs = 20_000;
/** Another try under the same key goes on; or the database is away. */
const passing: readonly (string | null)[] = ["IDEMPOTENCY_IN_PROGRESS", "UNAVAILABLE"];

/** A gateway that is killed is back in seconds, and so is a database that crashed. */
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
  // What the gateway answers is its envelope: data, or an error with a code.
  const { data, error } = JSON.parse(text) as { data?: unknown; error?: { code: string } };
  return { status: response.status, code: error?.code ?? null, data: data ?? null, text };
}
