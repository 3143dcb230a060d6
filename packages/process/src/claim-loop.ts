import type { Clock, Logger } from "@gateway/kernel";
import { backoffMs, tellFailure } from "./failure.ts";
import { accountShareOf, createSlots, type Slots } from "./slots.ts";
import { createWakeSignal } from "./wake-signal.ts";
import { within } from "./within.ts";

export type ClaimLoop = {
  /** Something may have fallen due. */
  wake(): void;
  /** Takes nothing more, waits for what is under way, at most `deadlineMs`. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
};

export type ClaimLimits = {
  nowMs: number;
  slots: number;
  /** Held by one account at most, together with `heldByAccount`. */
  perAccount: number;
  heldByAccount: ReadonlyMap<string, number>;
};

export type ClaimLoopDeps<Item> = {
  /** In the plural, for the log. */
  name: string;
  /** How many items are under way at most. */
  slots: number;
  accountOf(item: Item): string;
  /** Takes what is due under a lease. */
  claim(limits: ClaimLimits): Promise<readonly Item[]>;
  /** One item. What rejects is logged and left to its lease. */
  work(item: Item): Promise<void>;
  /** Gives back what was claimed and not begun. */
  release(items: readonly Item[], nowMs: number): Promise<void>;
  /** When the next item falls due, also one that another process holds; null when none is known. */
  findNextDueMs(nowMs: number): Promise<number | null>;
  /** What is done is not written yet: claiming more would only make it worse. */
  isBehind?(): boolean;
  /** The net under the notifications, a second unless given; also how late a clock that was moved is noticed. */
  pollMs?: number;
  clock: Clock;
  logger: Logger;
};

const minimumSleepMs = 2;

/** Sleeps when nothing is due until it is woken, the next item falls due, or it polls. It never ends by itself. */
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
    logger.warn({ err: error, of: name }, "claimed work was not done; it falls due again with the end of its lease");
  }
}

/** What is due and could not be claimed is another process's, or over its account's share: asked again less often. */
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
      "claimed work that was not begun could not be released; it falls due with the end of its lease",
    );
  });
}
