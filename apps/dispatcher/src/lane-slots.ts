import type { DueDelivery } from "@gateway/platform/events";
import { accountShareOf, createCounts } from "@gateway/process";
import { isUnproven, judge, type Lane, type Open } from "./lane.ts";

/** The slots of this dispatcher. An attempt holds one from its beginning until its outcome is written. */
export type LaneSlots = {
  /** Slots that one account may hold, and those that all unhealthy receivers together may hold. */
  perAccount: number;
  perUnproven: number;
  openCount(): number;
  unprovenCount(): number;
  /** The accounts that hold the most, most first. */
  topAccounts(): [accountId: string, openCount: number][];
  open(lane: Lane, delivery: DueDelivery): Open;
  close(lane: Lane, deliveryId: string): void;
  canServe(lane: Lane): boolean;
  isOverShare(lane: Lane): boolean;
};

/** Share of the slots that unhealthy receivers may hold together. */
const unprovenShare = 0.5;
/** An attempt that takes longer makes the receiver unhealthy, whatever its response. */
export const slowMs = 1_000;

export function createLaneSlots(slots: number): LaneSlots {
  const perAccount = accountShareOf(slots);
  const perUnproven = Math.max(1, Math.floor(slots * unprovenShare));
  const openByAccount = createCounts();
  let openCount = 0;
  let unprovenCount = 0;

  const markUnproven = (open: Open): void => {
    if (!open.isUnproven) {
      open.isUnproven = true;
      unprovenCount += 1;
    }
  };
  const allowed = (lane: Lane): number => {
    const slowSince = performance.now() - slowMs;
    for (const open of lane.underWay) {
      if (open.startedAt < slowSince) {
        judge(lane, { isSlow: true, isDelivered: false });
        lane.open.forEach(markUnproven);
        return 1;
      }
    }
    return lane.concurrency;
  };
  return {
    perAccount,
    perUnproven,
    openCount: () => openCount,
    unprovenCount: () => unprovenCount,
    topAccounts: () => [...openByAccount.counts].sort(([, left], [, right]) => right - left).slice(0, 3),
    open: (lane, { id }) => {
      const open: Open = { startedAt: performance.now(), isUnproven: isUnproven(lane) };
      lane.open.set(id, open);
      openCount += 1;
      unprovenCount += open.isUnproven ? 1 : 0;
      openByAccount.change(lane.turn.accountId, 1);
      return open;
    },
    close: (lane, id) => {
      const open = lane.open.get(id);
      if (open) {
        lane.open.delete(id);
        openCount -= 1;
        unprovenCount -= open.isUnproven ? 1 : 0;
        openByAccount.change(lane.turn.accountId, -1);
      }
    },
    canServe: (lane) => lane.ready.length > 0 && lane.underWay.size < allowed(lane),
    isOverShare: (lane) =>
      openByAccount.of(lane.turn.accountId) >= perAccount || (isUnproven(lane) && unprovenCount >= perUnproven),
  };
}
