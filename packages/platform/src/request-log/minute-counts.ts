import { bucketOfDuration, durationBuckets } from "./durations.ts";
import type { LoggedRequest } from "./logged-request.ts";

const minuteMs = 60_000;

/** One kind of request, and how often it came in a minute. */
export type MinuteCount = {
  accountId: string;
  atMs: number;
  operationId: string | null;
  status: number;
  code: string | null;
  callerId: string;
  count: number;
  lastRequestId: string;
  counts: number[];
};

/** Numbers of requests, by the minute in which they came and by their kind. */
export function createMinuteCounts() {
  /** A caller has few kinds of requests in a batch, so looking through them is cheaper than making a key of each. */
  const byCaller = new Map<string, MinuteCount[]>();
  return {
    /** Requests of the console are not counted. `startedMs`: the time in its id. */
    add: (request: LoggedRequest, startedMs: number) => {
      if (request.source === "console") {
        return;
      }
      const groups = byCaller.get(request.caller.id);
      const atMs = startedMs - (startedMs % minuteMs);
      const known = groups && findGroup(groups, request, atMs);
      if (known) {
        count(known, request);
        return;
      }
      const group = createGroup(request, atMs);
      count(group, request);
      if (groups) {
        groups.push(group);
      } else {
        byCaller.set(request.caller.id, [group]);
      }
    },
    /** Sorted by key, so that writers that count for the same accounts take their locks in one order. */
    all: () => sorted([...byCaller.values()].flat()),
  };
}

function findGroup(groups: readonly MinuteCount[], request: LoggedRequest, atMs: number): MinuteCount | undefined {
  for (const group of groups) {
    if (
      group.status === request.status &&
      group.operationId === request.operationId &&
      group.atMs === atMs &&
      group.code === request.code &&
      group.accountId === request.accountId
    ) {
      return group;
    }
  }
  return undefined;
}

function createGroup({ id, accountId, operationId, status, code, caller }: LoggedRequest, atMs: number): MinuteCount {
  const counts = durationBuckets.map(() => 0);
  return { accountId, atMs, operationId, status, code, callerId: caller.id, count: 0, lastRequestId: id, counts };
}

function count(group: MinuteCount, { id, durationMs }: LoggedRequest): void {
  const place = bucketOfDuration(durationMs);
  group.count += 1;
  group.counts[place] = (group.counts[place] ?? 0) + 1;
  group.lastRequestId = group.lastRequestId > id ? group.lastRequestId : id;
}

function sorted(groups: readonly MinuteCount[]): MinuteCount[] {
  return groups
    .map((group) => {
      const { accountId, atMs, operationId, status, code, callerId } = group;
      return { group, key: `${accountId} ${atMs} ${operationId} ${status} ${code} ${callerId}` };
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ group }) => group);
}
