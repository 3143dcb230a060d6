import { timeOfId } from "@gateway/kernel";
import { bucketOfDuration, durationBuckets } from "./durations.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** Arrays as Postgres reads them: `{a,b}`. Made here in one pass, because the driver looks at each element several times. */
export type ArrayText = string;

/** One row of the log. */
type Row = { request: LoggedRequest; repeats: number };

/**
 * Requests that the limit refused and that are alike become one row: a caller who does not stop would fill the log with nothing else. The
 * first of them stands for all.
 */
export function foldRefused(requests: readonly LoggedRequest[]): Row[] {
  const rows: Row[] = [];
  const folded = new Map<string, Row>();
  for (const request of requests) {
    if (request.status !== 429) {
      rows.push({ request, repeats: 0 });
      continue;
    }
    const { accountId, method, path, caller, source, userAgent } = request;
    const key = `${accountId} ${method} ${path} ${caller.id} ${caller.personId} ${source} ${userAgent}`;
    const known = folded.get(key);
    if (known) {
      known.repeats += 1;
    } else {
      const row = { request, repeats: 0 };
      folded.set(key, row);
      rows.push(row);
    }
  }
  return rows;
}

/** In the order of `logColumns`. */
export function columnsOfRows(rows: readonly Row[]): ArrayText[] {
  const column = (read: (request: LoggedRequest) => string | number | boolean | null): ArrayText =>
    arrayOf(rows, ({ request }) => read(request) ?? "NULL");
  const text = (read: (request: LoggedRequest) => string | null): ArrayText =>
    arrayOf(rows, ({ request }) => quote(read(request)));
  return [
    column(({ id }) => id),
    column(({ accountId }) => accountId),
    text(({ method }) => method),
    text(({ path }) => path),
    text(({ query }) => query),
    column(({ operationId }) => operationId),
    column(({ status }) => status),
    column(({ code }) => code),
    column(({ durationMs }) => Math.min(maxInteger, Math.round(durationMs * 1000))),
    column(({ caller }) => caller.kind),
    column(({ caller }) => caller.id),
    column(({ caller }) => caller.personId),
    column(({ source }) => source),
    column(({ isReplayed }) => isReplayed),
    column(({ isAnswered }) => isAnswered),
    arrayOf(rows, ({ repeats }) => repeats),
    text(({ details }) => details),
    column(({ rateLimit }) => rateLimit && rateLimit.limit),
    column(({ rateLimit }) => rateLimit && rateLimit.remaining),
    column(({ rateLimit }) => rateLimit && rateLimit.resetsAtMs / 1000),
    column(({ requestBytes }) => requestBytes),
    column(({ responseBytes }) => responseBytes),
    text(({ userAgent }) => userAgent),
  ];
}

const maxInteger = 2_147_483_647;

/** Names of ours need none. */
function quote(value: string | null): string {
  if (value === null) {
    return "NULL";
  }
  return `"${toEscape.test(value) ? value.replaceAll(/["\\]/g, "\\$&") : value}"`;
}

const toEscape = /["\\]/;

/** Put together as it goes: an array of parts to join cost twice as much. */
function arrayOf<Item>(items: readonly Item[], read: (item: Item) => string | number | boolean): ArrayText {
  let text = "";
  let separator = "{";
  for (const item of items) {
    text += separator + String(read(item));
    separator = ",";
  }
  return items.length === 0 ? "{}" : `${text}}`;
}

const minuteMs = 60_000;

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

/** What the console asks is not counted. */
export function countByMinute(requests: readonly LoggedRequest[]): Group[] {
  const groups = new Map<string, Group>();
  for (const request of requests) {
    if (request.source === "console") {
      continue;
    }
    const { id, accountId, operationId, status, code, caller } = request;
    const atMs = Math.floor(timeOfId(id) / minuteMs) * minuteMs;
    const key = `${accountId} ${atMs} ${operationId} ${status} ${code} ${caller.id}`;
    let group = groups.get(key);
    if (!group) {
      group = {
        ...{ accountId, atMs, operationId, status, code, callerId: caller.id, count: 0, lastRequestId: id },
        counts: durationBuckets.map(() => 0),
      };
      groups.set(key, group);
    }
    const place = bucketOfDuration(request.durationMs);
    group.count += 1;
    group.counts[place] = (group.counts[place] ?? 0) + 1;
    group.lastRequestId = group.lastRequestId > id ? group.lastRequestId : id;
  }
  // By their key, so that writers who count for the same accounts wait for one another in one order.
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

/** In the order of `usageColumns`, and then all counts, one group after another. */
export function columnsOfGroups(groups: readonly Group[]): ArrayText[] {
  const column = (read: (group: Group) => string | number): ArrayText => arrayOf(groups, read);
  return [
    column(({ accountId }) => accountId),
    column(({ atMs }) => atMs / 1000),
    column(({ operationId }) => operationId ?? '""'),
    column(({ status }) => status),
    column(({ code }) => code ?? '""'),
    column(({ callerId }) => callerId),
    column(({ count }) => count),
    column(({ lastRequestId }) => lastRequestId),
    column(({ counts }) => counts.join(",")),
  ];
}
