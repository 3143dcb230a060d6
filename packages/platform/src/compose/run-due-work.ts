import { isUnavailable, tryApart, type Executor } from "@gateway/database";
import type { Moved } from "@gateway/engine/account-time";
import type { WorkOutcome } from "./run-work-item.ts";
import type { WorkItem, WorkService } from "@gateway/engine/work";

export type DueWorkDeps = {
  /** Holds the account's clock alone. */
  trx: Executor;
  work: Pick<WorkService, "due" | "queue">;
  /** `onArm` receives the time of each item that is armed meanwhile. */
  run(item: WorkItem, onArm: (firesAt: Date) => void): Promise<WorkOutcome>;
  /** The time after which no further item begins, well before a transaction must end. */
  busyMs: number;
};

/** Runs an account's due work, each item apart. Items that fail or exceed the limit are left to the worker. */
export async function runDueWork(
  { trx, work: { due, queue }, run, busyMs }: DueWorkDeps,
  { accountId, limit, now }: { accountId: string; limit: number; now: Date },
): Promise<Moved> {
  const until = performance.now() + busyMs;
  const failed: WorkItem[] = [];
  let transitions = 0;
  let waiting = inOrder(await due.claim({ accountId, limit }));
  while (transitions + failed.length < limit && performance.now() < until) {
    const [item, ...others] = waiting;
    if (!item) {
      break;
    }
    waiting = others;
    let hasChained = false;
    const onArm = (firesAt: Date): void => {
      hasChained ||= firesAt <= now;
    };
    if ((await tryApart(trx, mayBeLeft, () => run(item, onArm))) === null) {
      failed.push(item);
    } else {
      transitions += 1;
    }
    if (hasChained) {
      // Items that were over the limit at first fire after all others.
      const isFull = transitions + failed.length + waiting.length >= limit;
      const chained = await due.claim({ accountId, limit, until: isFull ? waiting.at(-1)?.firesAt : undefined });
      waiting = inOrder([...waiting, ...chained]);
    }
  }
  await queue.release([...failed, ...waiting]);
  const putAway = await due.leave({ accountId, except: failed.map(({ id }) => id), now });
  return { transitions, remaining: putAway + failed.length };
}

function inOrder(items: readonly WorkItem[]): WorkItem[] {
  return items.toSorted((a, b) => a.firesAt.getTime() - b.firesAt.getTime() || (a.id < b.id ? -1 : 1));
}

function mayBeLeft(error: unknown): boolean {
  return !isUnavailable(error);
}
