import { isUnavailable } from "@gateway/database";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { setTimeout as delay } from "node:timers/promises";
import { judgeBooks, type Judged } from "./judge-books.ts";
import { passingKinds } from "./kinds.ts";
import { secrets } from "./secrets.ts";

export type Snapshots = {
  /**
   * Whether a snapshot has seen each state that resources leave again. A state that lasts only a moment may fall
   * between two snapshots.
   */
  haveSeenAll(): boolean;
  /** Takes the last snapshot after all writers have stopped. Resolves to all snapshots. */
  end(): Promise<Judged[]>;
};

/** Judges the database repeatedly while clients write. Snapshots that a crash interrupted are not counted. */
export function takeSnapshots(
  database: PlatformDatabase,
  { everyMs, print }: { everyMs: number; print(line: string): void },
): Snapshots {
  const taken: Judged[] = [];
  const stop = new AbortController();
  const take = async (): Promise<void> => {
    const judged = await judgeBooks(database, secrets);
    taken.push(judged);
    for (const { number, faults } of judged.judgements) {
      faults.slice(0, 3).forEach((fault) => print(`snapshot ${taken.length}, invariant ${number}: ${fault}`));
    }
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await delay(everyMs, null, { signal: stop.signal }).catch(() => {});
      if (!stop.signal.aborted) {
        await take().catch((error: unknown) => {
          if (!isUnavailable(error)) {
            throw error;
          }
        });
      }
    }
  };
  const running = run();
  // A failure is reported by `end`.
  running.catch(() => {});
  return {
    haveSeenAll: () =>
      passingKinds.every((kind) => taken.some(({ kinds }) => kinds.some((one) => one.kind === kind && one.count > 0))),
    end: async () => {
      stop.abort();
      await running;
      await take();
      return taken;
    },
  };
}
