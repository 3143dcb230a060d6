import { PackedRequests, type LoggedRequest } from "@gateway/platform/request-log";

/** What is written at once, and at most: each batch has its price, whatever is in it. */
export const batchSize = 1_000;
/** Memory that is kept for what comes. */
const mostSpare = 8;
const spareBytes = 1_000_000;

export type WaitingRequests = {
  add(request: LoggedRequest): void;
  size(): number;
  startedFirstMs(): number;
  firstEndedMs(): number;
  /** The oldest, at most `batchSize`; none when there are none. */
  take(): PackedRequests;
  /** In front of all others. */
  putBack(packs: readonly PackedRequests[]): void;
  /** Nothing asks for it any more: others may take its memory. */
  reuse(pack: PackedRequests): void;
};

/** Requests wait in packs, each of which is written as a whole; the last of them is being filled. */
export function createWaitingRequests(): WaitingRequests {
  const packs: PackedRequests[] = [];
  const spare: PackedRequests[] = [];
  let size = 0;
  return {
    add: (request) => {
      let pack = packs.at(-1);
      if (!pack || pack.size >= batchSize) {
        pack = spare.pop() ?? new PackedRequests();
        packs.push(pack);
      }
      pack.add(request);
      size += 1;
    },
    size: () => size,
    // Seldom is there any: what waits is taken whole, unless it piled up.
    startedFirstMs: () => packs.reduce((least, pack) => Math.min(least, pack.startedFirstMs), Infinity),
    firstEndedMs: () => packs[0]?.firstEndedMs ?? 0,
    take: () => {
      const pack = packs.shift() ?? spare.pop() ?? new PackedRequests();
      size -= pack.size;
      return pack;
    },
    putBack: (gone) => {
      packs.unshift(...gone);
      size += gone.reduce((sum, pack) => sum + pack.size, 0);
    },
    reuse: (pack) => {
      if (spare.length < mostSpare && pack.memoryBytes <= spareBytes) {
        pack.clear();
        spare.push(pack);
      }
    },
  };
}
