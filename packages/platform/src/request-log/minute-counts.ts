import { ArrayColumn, type ElementType } from "./array-column.ts";
import { bucketOfDuration, durationBuckets } from "./durations.ts";
import type { LoggedRequest } from "./logged-request.ts";

const minuteMs = 60_000;

/** Each column and what its array is of; behind these `binaries` has all counts of durations, one group after another. */
export const usageColumns = [
  ["account_id", "text"],
  ["at", "float8"],
  ["operation_id", "text"],
  ["status", "int2"],
  ["code", "text"],
  ["caller_id", "text"],
  ["count", "int4"],
  ["last_request_id", "text"],
] as const satisfies readonly (readonly [string, ElementType])[];

type Group = {
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

/** How many requests there were, by the minute in which they came and by what is told apart. */
export interface MinuteCounts {
  /** What the console asks is not counted. `startedMs`: the time in its id. */
  add(request: LoggedRequest, startedMs: number): void;
  /** In the order of `usageColumns`, and then all counts. */
  binaries(): Buffer[];
  clear(): void;
}

export function createMinuteCounts(): MinuteCounts {
  /** A caller has few kinds of requests in a quarter of a second: looking through them is cheaper than making a key of each request. */
  const byCaller = new Map<string, Group[]>();
  return {
    add: (request, startedMs) => {
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
    binaries: () => columnsOf(sorted([...byCaller.values()].flat())).map((column) => column.binary()),
    clear: () => byCaller.clear(),
  };
}

function findGroup(groups: readonly Group[], request: LoggedRequest, atMs: number): Group | undefined {
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

function createGroup({ id, accountId, operationId, status, code, caller }: LoggedRequest, atMs: number): Group {
  const counts = durationBuckets.map(() => 0);
  return { accountId, atMs, operationId, status, code, callerId: caller.id, count: 0, lastRequestId: id, counts };
}

function count(group: Group, { id, durationMs }: LoggedRequest): void {
  const place = bucketOfDuration(durationMs);
  group.count += 1;
  group.counts[place] = (group.counts[place] ?? 0) + 1;
  group.lastRequestId = group.lastRequestId > id ? group.lastRequestId : id;
}

/** By their key, so that writers who count for the same accounts wait for one another in one order. */
function sorted(groups: readonly Group[]): Group[] {
  return groups
    .map((group) => {
      const { accountId, atMs, operationId, status, code, callerId } = group;
      return { group, key: `${accountId} ${atMs} ${operationId} ${status} ${code} ${callerId}` };
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ group }) => group);
}

function columnsOf(groups: readonly Group[]): ArrayColumn[] {
  const column = (type: ElementType, add: (column: ArrayColumn, group: Group) => void): ArrayColumn => {
    const made = new ArrayColumn(type);
    groups.forEach((group) => add(made, group));
    return made;
  };
  return [
    column("text", (made, { accountId }) => made.addText(accountId)),
    column("float8", (made, { atMs }) => made.addFloat8(atMs / 1000)),
    column("text", (made, { operationId }) => made.addText(operationId ?? "")),
    column("int2", (made, { status }) => made.addInt2(status)),
    column("text", (made, { code }) => made.addText(code ?? "")),
    column("text", (made, { callerId }) => made.addText(callerId)),
    column("int4", (made, group) => made.addInt4(group.count)),
    column("text", (made, { lastRequestId }) => made.addText(lastRequestId)),
    column("int4", (made, { counts }) => counts.forEach((number) => made.addInt4(number))),
  ];
}
