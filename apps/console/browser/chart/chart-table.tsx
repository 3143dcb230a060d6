import type { Bucket, Line } from "../data/usage-buckets.ts";
import { usePreferences } from "../data/preferences.ts";
import { AsTable } from "../parts/shown/values.tsx";
import { bucketTime } from "./bucket-text.ts";

type Options = {
  caption: string;
  buckets: readonly Bucket[];
  lines: readonly Pick<Line, "key" | "label">[];
  hatchedLabel?: string;
};

/** The same as the chart. Bars without anything are left out. */
export function ChartTable({ caption, buckets, lines, hatchedLabel }: Options) {
  const { zone } = usePreferences();
  const told = buckets.filter(({ total, hasGap }) => total > 0 || hasGap);
  const hatched = hatchedLabel === undefined ? [] : [hatchedLabel];
  return (
    <AsTable
      className="as-table"
      summary="As table"
      label={`${caption}, as a table`}
      caption={caption}
      heads={["From", "Requests", ...lines.map(({ key, label }) => <bdi key={key}>{label}</bdi>), ...hatched]}
      rows={told.map((bucket) => [
        <>
          <time dateTime={new Date(bucket.fromMs).toISOString()}>{bucketTime(bucket, zone)}</time>
          {bucket.hasGap && " (some may be missing)"}
        </>,
        bucket.total,
        ...lines.map(({ key }) => bucket.counts[key] ?? 0),
        ...hatched.map(() => Object.values(bucket.hatched).reduce((sum, count) => sum + count, 0)),
      ])}
    >
      {told.length === 0 && <p className="nothing">Nothing in this time.</p>}
    </AsTable>
  );
}
