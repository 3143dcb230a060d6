import type { Bucket, Line } from "../data/usage-buckets.ts";
import { usePreferences } from "../data/preferences.ts";
import { bucketTime } from "./bucket-text.ts";

type Options = {
  caption: string;
  buckets: readonly Bucket[];
  lines: readonly Pick<Line, "key" | "label">[];
  hatchedLabel?: string;
};

/** The same as the chart, for who reads figures or copies them. Bars without anything are left out. */
export function ChartTable({ caption, buckets, lines, hatchedLabel }: Options) {
  const { zone } = usePreferences();
  const told = buckets.filter(({ total, hasGap }) => total > 0 || hasGap);
  return (
    <details className="as-table">
      <summary>As table</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={`${caption}, as a table`}>
        <table className="figures-table">
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col" className="numeric">
                Requests
              </th>
              {lines.map(({ key, label }) => (
                <th key={key} scope="col" className="numeric">
                  <bdi>{label}</bdi>
                </th>
              ))}
              {hatchedLabel !== undefined && (
                <th scope="col" className="numeric">
                  {hatchedLabel}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {told.map((bucket) => (
              <tr key={bucket.fromMs}>
                <th scope="row">
                  <time dateTime={new Date(bucket.fromMs).toISOString()}>{bucketTime(bucket, zone)}</time>
                  {bucket.hasGap && " (some may be missing)"}
                </th>
                <td className="numeric">{bucket.total}</td>
                {lines.map(({ key }) => (
                  <td key={key} className="numeric">
                    {bucket.counts[key] ?? 0}
                  </td>
                ))}
                {hatchedLabel !== undefined && (
                  <td className="numeric">{Object.values(bucket.hatched).reduce((sum, count) => sum + count, 0)}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {told.length === 0 && <p className="nothing">Nothing in this time.</p>}
      </div>
    </details>
  );
}
