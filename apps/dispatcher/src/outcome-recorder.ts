import { setTimeout as delay } from "node:timers/promises";
import { isLockTimeout, isUnavailable } from "@gateway/database";
import type { Clock, Logger } from "@gateway/kernel";
import type { ClaimedDelivery, DeliveryQueue, FinishedAttempt } from "@gateway/platform";
import { within } from "@gateway/process";

/** What ended, until it is written. */
export type OutcomeRecorder = {
  add(attempt: HeldAttempt): void;
  /** Ended, not written yet. */
  size(): number;
  /** Resolves when all is written or given up, at the latest after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
};

export type HeldAttempt = FinishedAttempt & { delivery: Pick<ClaimedDelivery, "leaseEndsAtMs"> };

export type OutcomeRecorderDeps = {
  queue: Pick<DeliveryQueue, "record">;
  clock: Clock;
  logger: Logger;
  /** After each write: webhooks have room again. */
  onRecorded(): void;
};

const maxBatch = 200;
/** One commit for what ends within this time. */
const gatherMs = 2;
/** So many need not wait for more: a larger batch would hardly cost less for each. */
const fullBatch = 64;
const backoffMs = [50, 100, 250, 500, 1_000];

/**
 * Writes outcomes in batches, one commit each. While the database is away they are kept and tried again, until their lease is over:
 * from then on the delivery is anybody's, and will be sent once more. An outcome that the database refuses is logged and left
 * to its lease, so that it holds up no other.
 */
export function createOutcomeRecorder(deps: OutcomeRecorderDeps): OutcomeRecorder {
  let waiting: HeldAttempt[] = [];
  let writing: readonly HeldAttempt[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let failures = 0; waiting.length > 0;) {
      if (waiting.length < fullBatch) {
        await delay(gatherMs);
      }
      writing = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      const isWritten = await write(writing, deps);
      if (isWritten) {
        failures = 0;
        deps.onRecorded();
      } else {
        waiting = [...dropExpired(writing, deps), ...waiting];
        await delay(backoffMs[Math.min(failures, backoffMs.length - 1)]);
        failures += 1;
      }
      writing = [];
    }
  };
  const start = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    add: (attempt) => {
      waiting.push(attempt);
      void start();
    },
    size: () => waiting.length + writing.length,
    drain: (deadlineMs) => within(deadlineMs, start()),
  };
}

/** False when the database may take it later. */
async function write(attempts: readonly HeldAttempt[], deps: OutcomeRecorderDeps): Promise<boolean> {
  try {
    const recorded = await deps.queue.record(attempts);
    if (recorded.length < attempts.length) {
      deps.logger.warn(
        { count: attempts.length - recorded.length },
        "outcomes came after the end of their lease; they were not recorded",
      );
    }
    return true;
  } catch (error) {
    if (isUnavailable(error) || isLockTimeout(error) || isDeadlock(error)) {
      deps.logger.warn(
        { err: error, count: attempts.length },
        "outcomes were not recorded; they are kept and tried again",
      );
      return false;
    }
    return refuse(attempts, error, deps);
  }
}

/** One outcome that cannot be written must not keep the others from it: each half is tried alone. */
async function refuse(attempts: readonly HeldAttempt[], error: unknown, deps: OutcomeRecorderDeps): Promise<boolean> {
  const [first] = attempts;
  if (attempts.length === 1 && first) {
    deps.logger.error(
      { err: error, deliveryId: first.delivery.id, outcome: first.outcome },
      "an outcome cannot be recorded",
    );
    return true;
  }
  const middle = Math.ceil(attempts.length / 2);
  const isFirstWritten = await write(attempts.slice(0, middle), deps);
  return (await write(attempts.slice(middle), deps)) && isFirstWritten;
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "40P01" || error.code === "40001");
}

function dropExpired(attempts: readonly HeldAttempt[], { clock, logger }: OutcomeRecorderDeps): HeldAttempt[] {
  const nowMs = clock.now();
  const kept = attempts.filter(({ delivery }) => delivery.leaseEndsAtMs > nowMs);
  if (kept.length < attempts.length) {
    logger.error(
      { count: attempts.length - kept.length },
      "outcomes could not be recorded within their lease; these deliveries will be sent again",
    );
  }
  return kept;
}
