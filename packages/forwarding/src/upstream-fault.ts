import { Problem } from "@gateway/contract";

const retryLater = { "Retry-After": "1" };

/** It was not reached, broke off, or says that it does not work. */
export function upstreamUnavailable(cause: unknown): Problem {
  return new Problem(
    "UPSTREAM_UNAVAILABLE",
    "The service behind this operation is not working. Try again in a moment; with the same Idempotency-Key nothing is done twice.",
    { headers: retryLater, cause },
  );
}

/** `why` is for the log: it names places and rules, no values. */
export function upstreamInvalidAnswer(why: string, cause?: unknown): Problem {
  return new Problem(
    "UPSTREAM_INVALID_ANSWER",
    "The service behind this operation sent a response that the document does not describe. With the same Idempotency-Key nothing is done twice.",
    { headers: retryLater, cause: new Error(why, { cause }) },
  );
}

export function upstreamTimeout(cause: unknown): Problem {
  return new Problem(
    "UPSTREAM_TIMEOUT",
    "The service behind this operation did not answer in time. Ask again; with the same Idempotency-Key nothing is done twice.",
    { cause },
  );
}
