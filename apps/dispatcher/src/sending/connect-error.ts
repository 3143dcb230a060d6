import type { AttemptOutcome } from "@gateway/platform/events";

/** Reason why no connection was made, so that no part of a delivery was sent. */
export class ConnectError extends Error {
  readonly outcome: Extract<AttemptOutcome, "timeout" | "connection_failed" | "tls_failed" | "blocked">;

  constructor(outcome: ConnectError["outcome"], options?: ErrorOptions) {
    super(`No connection: ${outcome}.`, options);
    this.name = "ConnectError";
    this.outcome = outcome;
  }
}
