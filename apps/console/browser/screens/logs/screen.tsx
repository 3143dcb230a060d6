import type { ItemOf } from "../../data/calls.ts";
import { logFilterNames, queryOfLog } from "../../data/log-filters.ts";
import { Badge, Time } from "../../parts/shown/values.tsx";
import { Gaps } from "../../parts/shown/gaps.tsx";
import type { Column } from "../../parts/list/columns.tsx";
import { ListScreen } from "../../parts/list/list-screen.tsx";
import { useListKeys } from "../../parts/list/list-keys.ts";
import { ScreenHeader, Tabs } from "../../parts/shown/screen-header.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { Caller, RequestPane, statusTone } from "./request-pane.tsx";
import { FailureGroups } from "./failure-groups.tsx";
import { Histogram } from "./histogram.tsx";
import { LogFilters } from "./log-filters.tsx";

type LoggedRequest = ItemOf<"listRequestLogs">;

const about =
  "The requests of this account to the API, newest first. Listed within a second, kept for 30 days, bodies left out.";

export function LogsScreen() {
  const [state] = useUrlState();
  return state["view"] === "groups" ? <Groups /> : <Requests />;
}

const views = { requests: "Requests", groups: "Errors by code and operation" };

function Views({ current }: { current: keyof typeof views }) {
  const [{ range, since, until }] = useUrlState();
  return <Tabs kept={{ range, since, until }} current={current} tabs={views} />;
}

function Groups() {
  useListKeys({ isOpen: false, close: () => {} });
  return (
    <div className="screen">
      <section className="list" aria-label="Logs">
        <ScreenHeader title="Logs" about={about} />
        <Views current="groups" />
        <LogFilters only={["operationId", "code"]} />
        <FailureGroups />
      </section>
    </div>
  );
}

const columns: readonly Column<LoggedRequest>[] = [
  { label: "Came", slot: "meta", cell: ({ startedAt }) => <Time at={startedAt} seconds /> },
  {
    label: "Request",
    slot: "title",
    cell: ({ method, path }) => (
      <span className="log-path" title={`${method} ${path}`}>
        <code className="log-method">{method}</code> <code>{shortPath(path)}</code>
      </span>
    ),
  },
  { label: "Status", slot: "end", cell: ({ status }) => <Badge state={String(status)} tone={statusTone(status)} /> },
  {
    label: "Code",
    slot: "meta",
    cell: ({ code, repeats }) => (
      <>
        {code !== null && <code>{code}</code>}
        {repeats > 0 && <span className="faint"> × {repeats + 1}</span>}
      </>
    ),
  },
  { label: "ms", slot: "wide", isNumber: true, cell: ({ durationMs }) => durationMs.toFixed(1) },
  {
    label: "Caller",
    slot: "wide",
    cell: ({ caller, source }) => <Caller caller={caller} source={source} />,
  },
  { label: "Id", slot: "wide", cell: ({ id }) => <code className="faint log-id">{id}</code> },
];

function Requests() {
  const [state] = useUrlState();
  return (
    <ListScreen
      title="Logs"
      about={about}
      tabs={<Views current="requests" />}
      above={<Histogram />}
      operationId="listRequestLogs"
      query={(known) => queryOfLog(known, Date.now())}
      filterBar={<LogFilters />}
      isFiltered={
        logFilterNames.some((name) => state[name]) || Boolean(state["range"] ?? state["since"] ?? state["until"])
      }
      columns={columns}
      note={({ pages, found, hasMore }) => (
        <>
          <Gaps gaps={pages[0]?.meta.gaps ?? []} />
          {hasMore && <Partial last={pages.at(-1)?.data.length ?? 0} found={found} />}
        </>
      )}
      empty={{
        title: "No requests in the last 24 hours",
        text: (
          <>
            Call the API with a key, and the request is here within a second. Requests of this console are hidden: tick
            “console's” to see it too.
          </>
        ),
      }}
      pane={(id) => <RequestPane id={id} />}
    />
  );
}

const examined = 20_000;
const fullPage = 50;

/** A page looks at so many requests and no more: with a rare filter it has few rows, or none, and is not the end. */
function Partial({ last, found }: { last: number; found: number }) {
  return last >= fullPage ? null : (
    <p className="note" role="status">
      {found === 0 ? "None so far: " : ""}
      {examined.toLocaleString("en")} requests were looked through for this page, and there are older ones. Load more to
      continue from there, or narrow the time.
    </p>
  );
}

function shortPath(path: string): string {
  return path.replace(/^\/api\/v1(?=\/)/, "");
}
