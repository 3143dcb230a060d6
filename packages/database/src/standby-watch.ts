import { setTimeout as delay } from "node:timers/promises";

export type StandbyWatchDeps = {
  /** How many sessions of the server wait for a synchronous standby. */
  countWaiting(): Promise<number>;
  pause?(ms: number): Promise<unknown>;
};

export type StandbyWatch = {
  /** A query has taken too long: its session may have been left behind. */
  timedOut(): void;
  /** Sessions that waited at the last look. */
  leftBehind(): number;
  /** True while so many sessions wait that another write would take the connections that reads need. */
  refusesWrites(): boolean;
  stop(): void;
};

/** A session whose commit waits for a standby cannot be given up. 20 is a fifth of the usual connections. */
const mostLeftBehind = 20;
const lookEveryMs = 500;

/** Looks only after a query took too long, until no session waits. The last result counts until then. */
export function createStandbyWatch({ countWaiting, pause = delay }: StandbyWatchDeps): StandbyWatch {
  let waiting = 0;
  /** Sessions that may have been left behind since the last look. Some are counted twice until the next one. */
  let unseen = 0;
  let isLooking = false;
  let isStopped = false;
  const look = async (): Promise<void> => {
    do {
      unseen = 0;
      waiting = await countWaiting().catch(() => waiting);
      await pause(lookEveryMs);
    } while (waiting + unseen > 0 && !isStopped);
    isLooking = false;
  };
  return {
    timedOut: () => {
      unseen += 1;
      if (!isLooking && !isStopped) {
        isLooking = true;
        void look();
      }
    },
    leftBehind: () => waiting,
    refusesWrites: () => waiting + unseen >= mostLeftBehind,
    stop: () => {
      isStopped = true;
    },
  };
}
