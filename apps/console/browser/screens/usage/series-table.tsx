import {
  shareText,
  type Line,
  type UsageSeries,
  groupText,
  keyOf,
  type UsageDimension,
} from "../../data/usage-buckets.ts";
import { ScreenLink, type UrlState } from "../../parts/page/address.tsx";
import { ColumnHeads, type ColumnHead } from "../../parts/list/columns.tsx";
import { IdLink } from "../../parts/shown/values.tsx";
import { lineColour } from "../../chart/line-colour.ts";

type Options = {
  series: readonly UsageSeries[];
  by: UsageDimension;
  names: ReadonlyMap<string, string>;
  /** The lines of the chart. A series that is not among them is one of the others. */
  colours: readonly Pick<Line, "key">[];
  range: UrlState;
};

const figures: readonly ColumnHead[] = [
  { label: "Requests", slot: "end", isNumber: true },
  { label: "Errors", slot: "meta", isNumber: true },
  { label: "p50", slot: "meta", isNumber: true },
  { label: "p95", slot: "meta", isNumber: true },
  { label: "Last", slot: "wide" },
];

export function SeriesTable({ series, by, names, colours, range }: Options) {
  return (
    <table className="rows series-table">
      <caption className="unseen">By {by}</caption>
      <ColumnHeads columns={[{ label: `${by[0]?.toUpperCase()}${by.slice(1)}`, slot: "title" }, ...figures]} />
      <tbody>
        {series.map(({ group, count, errors, p50Ms, p95Ms, lastRequestId }) => {
          const key = keyOf(group, by);
          const place = colours.findIndex((one) => one.key === key);
          return (
            <tr key={key} data-series={key} data-count={count}>
              <td className="slot-title">
                <span className={`swatch line-${lineColour(place === -1 ? "others" : key, place)}`} />
                <GroupLink group={group} by={by} range={range} text={groupText(group, by, names)} />
              </td>
              <td className="slot-end numeric">{count.toLocaleString("en")}</td>
              <td className="slot-meta numeric" data-label="errors">
                {errors.toLocaleString("en")} <span className="faint">{shareText(errors, count)}</span>
              </td>
              <td className="slot-meta numeric" data-label="p50">
                {milliseconds(p50Ms)}
              </td>
              <td className="slot-meta numeric" data-label="p95">
                {milliseconds(p95Ms)}
              </td>
              <td className="slot-wide">
                <IdLink to="/logs" open={lastRequestId} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type LinkOptions = { group: UsageSeries["group"]; by: UsageDimension; range: UrlState; text: string };

/** Leads to these requests in the log, for the same time. A group that the log cannot filter by is plain text. */
function GroupLink({ group, by, range: { range, since, until }, text }: LinkOptions) {
  const value = group?.[by];
  const filter =
    by === "caller"
      ? value?.startsWith("app_")
        ? "applicationId"
        : "apiKeyId"
      : by === "operation"
        ? "operationId"
        : by;
  return value === undefined || value === null ? (
    <span>{text}</span>
  ) : (
    <ScreenLink to="/logs" search={{ [filter]: value, range, since, until }}>
      <bdi>{text}</bdi>
    </ScreenLink>
  );
}

function milliseconds(value: number | null): string {
  return value === null ? "–" : `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} ms`;
}
