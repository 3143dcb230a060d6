import { PackedRequests, type LoggedRequest } from "@gateway/platform/request-log";

/**
 * Number of requests that starts a write, and the maximum size of a batch. Each batch has a fixed cost, whatever its
 * size.
 */
export const batchSize = 1_000;

export type WaitingRequests = ReturnType<typeof createWaitingRequests>;

/** Requests wait in packs, each of which is written as a whole; the last of them is being filled. */
export function createWaitingRequests() {
  const packs: PackedRequests[] = [];
  let size = 0;
  return {
    add: (request: LoggedRequest): void => {
      let pack = packs.at(-1);
      if (!pack || pack.size >= batchSize) {
        pack = new PackedRequests();
        packs.push(pack);
      }
      pack.add(request);
      size += 1;
    },
    size: (): number => size,
    startedFirstMs: (): number => Math.min(...packs.map((pack) => pack.startedFirstMs)),
    firstEndedMs: (): number => packs[0]?.firstEndedMs ?? 0,
    /** The oldest, at most `batchSize`; none when there are none. */
    take: (): PackedRequests => {
      const pack = packs.shift() ?? new PackedRequests();
      size -= pack.size;
      return pack;
    },
  };
}
