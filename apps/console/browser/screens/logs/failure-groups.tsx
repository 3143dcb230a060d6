import { useState } from "react";
import { queryOfRange, readTimeRange } from "../../data/time-range.ts";
import { failureGroupsOf, stepOf, type FailureGroup } from "../../data/usage-buckets.ts";
import { ScreenLink, useUrlState, type UrlState } from "../../parts/page/address.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { ColumnHeads, type ColumnHead } from "../../parts/list/columns.tsx";
import { Gaps } from "../../parts/shown/gaps.tsx";
import { Loaded, Empty, FailedPart } from "../../parts/shown/states.tsx";
import { Ago } from "../../parts/shown/values.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { Caller } from "./request-pane.tsx";

/** The number of groups that show their callers at once, because each costs two reads of the 300 a minute. */
const toldAtOnce = 8;

/** The refused requests by code and operation: the count, the last one, the keys and the fields. */
export function FailureGroups() {
  const [state] = useUrlState();
  const nowMs = Date.now();
  const range = readTimeRange(state, nowMs);
  const step = stepOf(range, nowMs);
  const call = {
    operationId: "getUsage",
    query: {
      interval: step?.interval,
      groupBy: "operation,code",
      ...queryOfRange(range),
    },
  } as const;
  const usage = useCall(call, { isWanted: step !== null });
  if (step === null) {
    return <p className="note">The time is too long to count: choose at most 100 days.</p>;
  }
  const filters = { operation: state["operationId"], code: state["code"] };
  return (
    <Loaded of={usage}>
      {({ data: { series }, meta }) => {
        const groups = failureGroupsOf(series, filters);
        return (
          <>
            {groups.length === 0 ? (
              <Empty title="Nothing was refused">
                In this time no request of a program failed. Requests of the console are not counted.
              </Empty>
            ) : (
              <GroupTable groups={groups} since={call.query.since} state={state} />
            )}
            {series.some(({ group }) => group === null) && (
              <p className="note" role="status">
                Only the twenty most frequent are listed: there may be rare errors that are not here. The list of
                requests has all.
              </p>
            )}
            <Gaps gaps={meta.gaps ?? []} />
            <AsCode call={call} />
          </>
        );
      }}
    </Loaded>
  );
}

const columns: readonly ColumnHead[] = [
  { label: "Code", slot: "title" },
  { label: "Operation", slot: "meta" },
  { label: "Count", slot: "end", isNumber: true },
  { label: "Last", slot: "meta" },
  { label: "Keys", slot: "meta" },
  { label: "Field", slot: "meta" },
];

type TableOptions = { groups: readonly FailureGroup[]; since: string; state: UrlState };

function GroupTable({ groups, since, state }: TableOptions) {
  return (
    <table className="rows">
      <caption className="unseen">Errors by code and operation</caption>
      <ColumnHeads columns={columns} />
      <tbody>
        {groups.map((group, place) => (
          <GroupRow
            key={`${group.code} ${group.operation}`}
            group={group}
            since={since}
            state={state}
            isTold={place < toldAtOnce}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowOptions = Omit<TableOptions, "groups"> & { group: FailureGroup; isTold: boolean };

const looked = 100;

function GroupRow({ group, since, state, isTold }: RowOptions) {
  const { operation, code, count, lastRequestId } = group;
  const [isAsked, setIsAsked] = useState(isTold);
  const last = useCall(
    { operationId: "getRequestLog", path: { requestId: lastRequestId } },
    { isWanted: isAsked, everyMs: 0 },
  );
  const query = { operationId: operation ?? undefined, code: code ?? undefined, since, source: "api", limit: looked };
  const requests = useCall({ operationId: "listRequestLogs", query }, { isWanted: isAsked, everyMs: 0 });
  const callers = new Map(requests.data?.data.map((one) => [one.caller.id, one]));
  const { range, since: from, until } = state;
  return (
    <tr>
      <td className="slot-title">
        <ScreenLink
          className="row-link"
          to="/logs"
          search={{ operationId: operation ?? undefined, code: code ?? undefined, range, since: from, until }}
          data-id={lastRequestId}
        >
          <code>{code ?? "without a code"}</code>
        </ScreenLink>
      </td>
      <td className="slot-meta">
        <code>{operation ?? "no operation"}</code>
      </td>
      <td className="slot-end numeric" data-count={count}>
        {count.toLocaleString("en")}
      </td>
      <td className="slot-meta group-more">
        {isAsked ? (
          <ScreenLink to="/logs" open={lastRequestId} title={lastRequestId}>
            {last.data ? <Ago at={last.data.data.startedAt} /> : "the last"}
          </ScreenLink>
        ) : (
          <button type="button" className="button small" onClick={() => setIsAsked(true)}>
            Whose?
          </button>
        )}
      </td>
      <td className="slot-meta group-more">
        <FailedPart of={requests} />
        {[...callers.values()].slice(0, 3).map((one) => (
          <Caller key={one.id} caller={one.caller} source={one.source} />
        ))}
        {callers.size > 3 && <span className="faint"> and {callers.size - 3} more</span>}
        {requests.data?.meta.hasMore && <span className="faint"> of the last {looked}</span>}
      </td>
      <td className="slot-meta">
        {last.data?.data.details.slice(0, 3).map(({ field, issue }) => (
          <code key={field} title={issue} className="group-field">
            {field}
          </code>
        ))}
      </td>
    </tr>
  );
}
