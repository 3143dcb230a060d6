import type { Clock, Logger } from "@gateway/kernel";
import { backoffMs, tellFailure } from "./failure.ts";
import { accountShareOf, createSlots, type Slots } from "./slots.ts";
import { createWakeSignal } from "./wake-signal.ts";
import { within } from "./within.ts";

export type ClaimLoop = {
  /** Some work may have become due. */
  wake(): void;
  /** Claims nothing more and waits for the work in flight, at most `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
};

export type ClaimLimits = {
  nowMs: number;
  slots: number;
  /** The maximum for one account, including `heldByAccount`. */
  perAccount: number;
  heldByAccount: ReadonlyMap<string, number>;
};

export type ClaimLoopDeps<Item> = {
  /** Names the items in the log, in the plural. */
  name: string;
  /** The maximum number of items in flight. */
  slots: number;
  accountOf(item: Item): string;
  /** Claims due items under a lease. */
  claim(limits: ClaimLimits): Promise<readonly Item[]>;
  /** Works on one item. A rejection is logged and the item left to its lease. */
  work(item: Item): Promise<void>;
  /** Returns items that were claimed and not begun. */
  release(items: readonly Item[], nowMs: number): Promise<void>;
  /** When the next item becomes due, including items held by other processes. Null when none is known. */
  findNextDueMs(nowMs: number): Promise<number | null>;
  /** True while results wait to be written, because more claims would only lengthen the queue. */
  isBehind?(): boolean;
  /** Polls in case a notification is lost; a second by default. Bounds the delay after a clock was moved, too. */
  pollMs?: number;
  clock: Clock;
  logger: Logger;
};

const minimumSleepMs = 2;

/** Sleeps when nothing is due until it is woken, the next item becomes due, or it polls. It never ends by itself. */
export function startClaimLoop<Item>(deps: ClaimLoopDeps<Item>): ClaimLoop {
  const { pollMs = 1_000 } = deps;
  const signal = createWakeSignal();
  const slots = createSlots<Item>({
    slots: deps.slots,
    perAccount: accountShareOf(deps.slots),
    accountOf: deps.accountOf,
    work: (item) => workOnce(item, deps),
    onRoom: signal.wake,
  });
  let isStopping = false;
  let failures = 0;
  let emptyClaims = 0;

  const turn = async (): Promise<void> => {
    const room = slots.room();
    if (room === 0 || deps.isBehind?.()) {
      await signal.wait(pollMs);
      return;
    }
    const claimed = await deps.claim({
      nowMs: deps.clock.now(),
      slots: room,
      perAccount: accountShareOf(slots.count() + room),
      heldByAccount: slots.byAccount,
    });
    failures = 0;
    emptyClaims = claimed.length === 0 ? emptyClaims + 1 : 0;
    slots.add(claimed);
    if (claimed.length === 0 && !isStopping) {
      const nowMs = deps.clock.now();
      await signal.wait(sleepMs(await deps.findNextDueMs(nowMs), { nowMs, emptyClaims, pollMs }));
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await turn();
      } catch (error) {
        tellFailure(deps.logger, error, { name: deps.name, failures });
        await signal.wait(backoffMs(failures));
        failures += 1;
      }
    }
    await releaseUnbegun(slots, deps);
  };
  const running = run();
  return {
    wake: signal.wake,
    stop: async (deadlineMs) => {
      isStopping = true;
      slots.beginNoMore();
      signal.wake();
      await within(deadlineMs, Promise.all([running, slots.settle()]));
    },
  };
}

async function workOnce<Item>(
  item: Item,
  { name, work, logger }: Pick<ClaimLoopDeps<Item>, "name" | "work" | "logger">,
): Promise<void> {
  try {
    await work(item);
  } catch (error) {
    logger.warn({ err: error, of: name }, "claimed work was not done; it falls due again when its lease ends");
  }
}

/**
 * Due items that could not be claimed are held elsewhere or exceed an account's share, so claims become less frequent.
 */
function sleepMs(
  nextDueMs: number | null,
  { nowMs, emptyClaims, pollMs }: { nowMs: number; emptyClaims: number; pollMs: number },
): number {
  if (nextDueMs === null) {
    return pollMs;
  }
  return nextDueMs <= nowMs
    ? Math.min(250, 2 ** Math.min(emptyClaims, 8))
    : Math.min(pollMs, Math.max(minimumSleepMs, nextDueMs - nowMs));
}

async function releaseUnbegun<Item>(
  slots: Slots<Item>,
  { name, clock, logger, release }: Pick<ClaimLoopDeps<Item>, "name" | "clock" | "logger" | "release">,
): Promise<void> {
  const unbegun = slots.dropUnbegun();
  if (unbegun.length === 0) {
    return;
  }
  await release(unbegun, clock.now()).catch((error: unknown) => {
    logger.warn(
      { err: error, of: name },
      "claimed work that was not begun could not be released; it falls due when its lease ends",
    );
  });
}
