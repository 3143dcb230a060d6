import { setTimeout as delay } from "node:timers/promises";
import { isLockTimeout, isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { DeliveryQueue, FinishedAttempt, RecordedDelivery } from "@gateway/platform/events";
import { backoffMs, within } from "@gateway/process";

export type OutcomeRecorder = {
  add(attempt: FinishedAttempt): void;
  /** Resolves when everything is written or given up, at the latest after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
};

export type OutcomeRecorderDeps = {
  queue: Pick<DeliveryQueue, "record">;
  logger: Logger;
  /** The dispatcher in whose turns the attempts were made. */
  dispatcherId(): string;
  /** The outcome is written, or never will be. */
  onDone(attempt: FinishedAttempt, status: RecordedDelivery["status"] | "lost"): void;
};

const maxBatch = 200;
/** Outcomes within this time share one commit. */
const gatherMs = 2;
/** A batch of this size does not wait for more, because a larger one would hardly cost less for each outcome. */
const fullBatch = 64;

/**
 * Writes outcomes in batches, and tries again while the database is away. A refused outcome is logged and does not hold
 * up the others.
 */
export function createOutcomeRecorder(deps: OutcomeRecorderDeps): OutcomeRecorder {
  let waiting: FinishedAttempt[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    for (let failures = 0; waiting.length > 0;) {
      if (waiting.length < fullBatch) {
        await delay(gatherMs);
      }
      const writing = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      const isWritten = await write(writing, deps);
      if (isWritten) {
        failures = 0;
      } else {
        waiting = [...writing, ...waiting];
        await delay(backoffMs(failures));
        failures += 1;
      }
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
    drain: (deadlineMs) => within(deadlineMs, start()),
  };
}

/** False when the database may accept the outcomes later. */
async function write(attempts: readonly FinishedAttempt[], deps: OutcomeRecorderDeps): Promise<boolean> {
  try {
    finish(attempts, await deps.queue.record(deps.dispatcherId(), attempts), deps);
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

function finish(
  attempts: readonly FinishedAttempt[],
  recorded: readonly RecordedDelivery[],
  { logger, onDone }: OutcomeRecorderDeps,
): void {
  const statusOf = new Map(recorded.map(({ id, status }) => [id, status]));
  attempts.forEach((attempt) => onDone(attempt, statusOf.get(attempt.delivery.id) ?? "lost"));
  if (recorded.length < attempts.length) {
    logger.warn(
      { count: attempts.length - recorded.length },
      "outcomes were not recorded: other dispatchers now hold their queues, or their deliveries no longer exist",
    );
  }
}

/** One outcome that cannot be written must not block the others, so each half is tried alone. */
async function refuse(
  attempts: readonly FinishedAttempt[],
  error: unknown,
  deps: OutcomeRecorderDeps,
): Promise<boolean> {
  const [first] = attempts;
  if (attempts.length === 1 && first) {
    deps.logger.error(
      { err: error, deliveryId: first.delivery.id, outcome: first.outcome },
      "an outcome cannot be recorded",
    );
    deps.onDone(first, "lost");
    return true;
  }
  const middle = Math.ceil(attempts.length / 2);
  const isFirstWritten = await write(attempts.slice(0, middle), deps);
  return (await write(attempts.slice(middle), deps)) && isFirstWritten;
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "40P01" || error.code === "40001");
}
