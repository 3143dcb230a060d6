import type { DueDelivery, ReadRequest } from "@gateway/platform/events";
import type { Lane } from "./lane.ts";

/** Deliveries that were read from the queues and not sent yet. */
export type LaneReads = {
  isWanted(lane: Lane): boolean;
  ask(lane: Lane): ReadRequest;
  /** False when the webhook changed during the read, which makes its rows void. */
  add(lane: Lane, request: ReadRequest, rows: readonly DueDelivery[]): boolean;
  take(lane: Lane): DueDelivery | undefined;
  /** Drops its deliveries, which come again if this queue is read again. */
  drop(lane: Lane): void;
};

/** Deliveries read ahead for each attempt in flight, so that a free slot does not wait for the next read. */
const readAhead = 4;
/** Maximum size of bodies that are read and not sent. Above it, each queue reads one at a time. */
const maxReadyBytes = 64 * 1024 * 1024;

export function createLaneReads(): LaneReads {
  let readyBytes = 0;
  const roomOf = (lane: Lane): number =>
    lane.concurrency === 1 || readyBytes > maxReadyBytes ? 1 : lane.concurrency * readAhead;
  return {
    isWanted: (lane) =>
      lane.hasMore && !lane.isReading && !lane.isEnding && lane.ready.length <= Math.floor(roomOf(lane) / 2),
    ask: (lane) => {
      lane.isReading = true;
      lane.isTouched = false;
      lane.closed.clear();
      lane.isReadVoid = false;
      const known = lane.after === null ? lane.open.size + lane.ready.length : 0;
      return { turn: lane.turn, room: roomOf(lane) + known, after: lane.after };
    },
    add: (lane, { room, after }, rows) => {
      lane.isReading = false;
      if (lane.isReadVoid) {
        return false;
      }
      const known = new Set(lane.ready.map(({ id }) => id));
      for (const delivery of rows) {
        if (!known.has(delivery.id) && !lane.open.has(delivery.id) && !lane.closed.has(delivery.id)) {
          lane.ready.push(delivery);
          readyBytes += delivery.body.length;
        }
      }
      const isAll = rows.length < room;
      lane.after = isAll ? null : (rows.at(-1)?.place ?? null);
      // A commit may have come with an earlier place: only a read from the beginning that finds no more is the end.
      lane.hasMore = !isAll || after !== null || lane.isTouched;
      return true;
    },
    take: (lane) => {
      const delivery = lane.ready.shift();
      readyBytes -= delivery?.body.length ?? 0;
      return delivery;
    },
    drop: (lane) => {
      readyBytes -= lane.ready.reduce((sum, { body }) => sum + body.length, 0);
      lane.ready = [];
      lane.after = null;
      lane.hasMore = true;
    },
  };
}
