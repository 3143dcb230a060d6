import type { ReactNode } from "react";
import { Sparkline } from "../../chart/sparkline.tsx";
import type { DataOf } from "../../data/calls.ts";
import { tileMs } from "../../data/pace.ts";
import { readTimeRange } from "../../data/time-range.ts";
import { bucketsOf, failureGroupsOf, linesOfOutcome, shareText, totalsOf } from "../../data/usage-buckets.ts";
import type { Destination } from "../../parts/page/destination.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { FailedPart, LoadingRows, Waiting } from "../../parts/shown/states.tsx";
import { Line } from "../../parts/list/lines.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useSecond } from "../../parts/page/use-second.ts";

const hourMs = 3_600_000;

/** This hour and the 23 before: what the usage answers of itself, grouped once for tiles and errors alike. */
export function useDay() {
  const { sinceMs, untilMs } = readTimeRange({ range: "24h" }, Date.now());
  const call = {
    operationId: "getUsage",
    query: { interval: "hour", since: new Date(sinceMs).toISOString(), groupBy: "operation,code" },
  } as const;
  return { call, usage: useCall(call), sinceMs, untilMs };
}

type Day = { day: ReturnType<typeof useDay> };

/** How near to the limit, how much, how well. Their height is fixed: nothing moves when the figures come. */
export function Tiles({ day: { usage, sinceMs, untilMs } }: Day) {
  const { series } = usage.data?.data ?? { series: [] };
  const { count, errors } = totalsOf(series);
  const buckets = bucketsOf({ sinceMs, untilMs }, hourMs, linesOfOutcome(series), usage.data?.meta.gaps);
  const isKnown = usage.data !== undefined;
  const account = useCall({ operationId: "getAccount" }, { everyMs: tileMs });
  return (
    <section className="tiles" aria-label="The past 24 hours">
      <NowTile account={account.data?.data} />
      <Tile title="Calls, 24 h" to="/usage" isKnown={isKnown}>
        <strong data-figure="calls">{count.toLocaleString("en")}</strong>
        <Sparkline values={buckets.map(({ total }) => total)} label={`Calls by the hour, ${count} in 24 hours.`} />
      </Tile>
      <Tile title="Errors, 24 h" to="/logs" search={{ view: "groups" }} isKnown={isKnown}>
        <strong data-figure="errors">
          {shareText(errors, count)} <small>{errors.toLocaleString("en")}</small>
        </strong>
        <Sparkline
          tone="bad"
          values={buckets.map(({ counts }) => counts["errors"] ?? 0)}
          label={`Errors by the hour, ${errors} in 24 hours.`}
        />
      </Tile>
      <FailedPart of={account} />
    </section>
  );
}

type TileOptions = Destination & { title: string; isKnown: boolean; children: ReactNode };

function Tile({ title, isKnown, children, ...destination }: TileOptions) {
  return (
    <div className="tile">
      <h2>
        <ScreenLink {...destination}>{title}</ScreenLink>
      </h2>
      {isKnown ? <div className="tile-figure">{children}</div> : <Waiting />}
    </div>
  );
}

/** The window that runs: asking costs none of it. */
function NowTile({ account }: { account: DataOf<"getAccount"> | undefined }) {
  const { requestsPerMinute = 0, used = 0, resetsAt } = account?.rateLimit ?? {};
  const nowMs = useSecond();
  const isOver = resetsAt !== undefined && Date.parse(resetsAt) <= nowMs;
  const now = isOver ? 0 : Math.min(used, requestsPerMinute);
  return (
    <Tile title="Rate limit, now" to="/usage" search={{ range: "1h" }} isKnown={account !== undefined}>
      <strong data-figure="used">
        {now}/{requestsPerMinute}
        <small>
          {resetsAt === undefined || isOver || now === 0 ? "none in use" : resetText(Date.parse(resetsAt) - nowMs)}
        </small>
      </strong>
      <meter
        className="tile-bar"
        min={0}
        max={requestsPerMinute}
        high={requestsPerMinute * 0.8}
        optimum={0}
        value={now}
        aria-label={`${now} of ${requestsPerMinute} requests of this minute`}
      />
    </Tile>
  );
}

function resetText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `resets in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const mostErrors = 5;

export function Errors({ day: { call, usage } }: Day) {
  const groups = usage.data ? failureGroupsOf(usage.data.data.series, {}) : [];
  return (
    <Card label="Errors" title="Errors, 24 h" all={{ to: "/logs", search: { view: "groups" } }} isFixed>
      <FailedPart of={usage} />
      {usage.isPending && <LoadingRows count={3} />}
      {usage.data && groups.length === 0 && <p className="faint">None.</p>}
      <ul className="lines">
        {groups.slice(0, mostErrors).map(({ operation, code, count }) => (
          <Line
            key={`${code} ${operation}`}
            to="/logs"
            search={{ operationId: operation ?? undefined, code: code ?? undefined }}
            className="cut"
            end={<span className="number">{count.toLocaleString("en")}</span>}
          >
            <code>{code ?? "no code"}</code> <span className="faint">{operation ?? "no operation"}</span>
          </Line>
        ))}
      </ul>
      {usage.data && <AsCode call={call} />}
    </Card>
  );
}

type Options = { label: string; title?: string; all: Destination; isFixed?: boolean; children: ReactNode };

/** A part of the overview, with a link to everything that it summarizes. `isFixed`: its height is known. */
export function Card({ label, title = label, all, isFixed = false, children }: Options) {
  return (
    <section className={isFixed ? "card fixed" : "card"} aria-label={label}>
      <h2>
        {title} <ScreenLink {...all}>All</ScreenLink>
      </h2>
      {children}
    </section>
  );
}
