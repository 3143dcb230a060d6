import { nice, ticks } from "d3-array";
import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import type { Bucket, Line } from "../data/usage-buckets.ts";
import { usePreferences } from "../data/preferences.ts";
import { bucketText, bucketTime } from "./bucket-text.ts";
import { lineColour } from "./line-colour.ts";

export type BarChartOptions = {
  /** A sentence with the figures of the chart, for screen readers. */
  label: string;
  buckets: readonly Bucket[];
  /** The lines from the bottom up. A line's place gives its colour, unless the key is `errors`, `good` or `others`. */
  lines: readonly Pick<Line, "key" | "label">[];
  /** A horizontal line with its label. */
  limit?: { value: number; label: string } | null;
  hatchedLabel?: string;
  /** Whether figures and times appear at the sides. Without them, the chart is a strip. */
  hasAxes?: boolean;
  onPick?(bucket: Bucket): void;
};

const axisWidth = 44;
const axisHeight = 20;
const tickCount = 4;

/**
 * The bars are elements, so they are sharp and use the colours of the page. Keys move through them by a slider on top.
 */
export function BarChart(options: BarChartOptions) {
  const { label, buckets, lines, hatchedLabel, hasAxes = false, onPick } = options;
  const { zone } = usePreferences();
  const [box, size] = useSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const place = chosen === null ? null : Math.min(chosen, buckets.length - 1);
  const bucket = place === null ? undefined : buckets[place];
  const plot = { width: Math.max(0, size.width - (hasAxes ? axisWidth : 0)), height: size.height };
  const onPointer = (event: PointerEvent<HTMLDivElement>): void => {
    const left = event.currentTarget.getBoundingClientRect().left + size.width - plot.width;
    const at = Math.floor(((event.clientX - left) / plot.width) * buckets.length);
    setChosen(at >= 0 && at < buckets.length ? at : null);
  };
  const pick = (): void => bucket && onPick?.(bucket);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && bucket) {
      event.preventDefault();
      pick();
    }
  };
  return (
    <div
      className={hasAxes ? "chart" : "chart strip"}
      ref={box}
      onPointerMove={onPointer}
      onPointerLeave={() => setChosen(null)}
      onClick={pick}
      data-picks={onPick !== undefined}
    >
      {size.width > 0 && <Drawing {...options} plot={plot} chosen={place} zone={zone} />}
      <input
        type="range"
        className="chart-walk"
        min={0}
        max={buckets.length - 1}
        value={place ?? buckets.length - 1}
        aria-label={`${label} ${onPick ? "Walk with the arrow keys, narrow the time with Enter." : "Walk with the arrow keys."}`}
        aria-valuetext={bucketText(bucket ?? buckets.at(-1), { lines, zone, hatchedLabel })}
        onChange={(event) => setChosen(Number(event.target.value))}
        onFocus={() => setChosen((before) => before ?? buckets.length - 1)}
        onBlur={() => setChosen(null)}
        onKeyDown={onKeyDown}
      />
      <p className="chart-told" data-side={(place ?? 0) > buckets.length / 2 ? "start" : "end"} hidden={!bucket}>
        {bucket && bucketText(bucket, { lines, zone, hatchedLabel })}
      </p>
    </div>
  );
}

type DrawingOptions = BarChartOptions & {
  plot: { width: number; height: number };
  chosen: number | null;
  zone: "utc" | "local";
};

function Drawing({ label, buckets, lines, limit, hasAxes = false, plot, chosen, zone }: DrawingOptions) {
  const id = useId();
  const left = hasAxes ? axisWidth : 0;
  const bottom = plot.height - (hasAxes ? axisHeight : 0);
  const highest = Math.max(1, ...buckets.map(({ total }) => total), limit?.value ?? 0);
  const [, end] = hasAxes ? nice(0, highest, tickCount) : [0, highest];
  const top = hasAxes ? 8 : 1;
  const y = (value: number): number => bottom - (value / end) * (bottom - top);
  const step = plot.width / buckets.length;
  const x = (place: number): number => left + place * step;
  const barWidth = step > 6 ? step * 0.8 : step;
  return (
    <svg role="img" aria-label={label} width={left + plot.width} height={plot.height}>
      <defs>
        <Hatch id={`${id}refused`} className="hatch-refused" />
        <Hatch id={`${id}gap`} className="hatch-gap" />
      </defs>
      {hasAxes &&
        ticks(0, end, tickCount)
          .filter(Number.isInteger)
          .map((tick) => (
            <g key={tick}>
              <line className="chart-grid" x1={left} x2={left + plot.width} y1={y(tick)} y2={y(tick)} />
              <text className="chart-tick" x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                {compact(tick)}
              </text>
            </g>
          ))}
      {buckets.map((bucket, place) => (
        <g key={bucket.fromMs} data-bucket={bucket.fromMs} data-total={bucket.total}>
          {place === chosen && <rect className="chart-chosen" x={x(place)} width={barWidth} y={0} height={bottom} />}
          {bucket.hasGap && (
            <rect x={x(place)} width={Math.max(3, barWidth)} y={0} height={bottom} fill={`url(#${id}gap)`} />
          )}
          <Stack bucket={bucket} lines={lines} x={x(place)} width={barWidth} y={y} hatch={`${id}refused`} />
        </g>
      ))}
      {limit && (
        <g>
          <line className="chart-limit" x1={left} x2={left + plot.width} y1={y(limit.value)} y2={y(limit.value)} />
          <text className="chart-limit-text" x={left + plot.width - 4} y={y(limit.value)} dy="-0.4em" textAnchor="end">
            {limit.label}
          </text>
        </g>
      )}
      {hasAxes && <TimeAxis buckets={buckets} at={x} y={plot.height - 5} width={plot.width} zone={zone} />}
    </svg>
  );
}

type StackOptions = {
  bucket: Bucket;
  lines: BarChartOptions["lines"];
  x: number;
  width: number;
  y(value: number): number;
  hatch: string;
};

function Stack({ bucket, lines, x, width, y, hatch }: StackOptions) {
  let below = 0;
  return lines.map(({ key }, place) => {
    const count = bucket.counts[key] ?? 0;
    const refused = Math.min(count, bucket.hatched[key] ?? 0);
    const [from, to] = [y(below), y(below + count)];
    below += count;
    // One request of a thousand must still be visible.
    const height = Math.max(2, from - to);
    return (
      count > 0 && (
        <g key={key}>
          <rect className={`line-${lineColour(key, place)}`} x={x} width={width} y={from - height} height={height} />
          {refused > 0 && (
            <rect
              className="chart-refused"
              fill={`url(#${hatch})`}
              x={x}
              width={width}
              y={from - height}
              height={(height * refused) / count}
            />
          )}
        </g>
      )
    );
  });
}

function Hatch({ id, className }: { id: string; className: string }) {
  return (
    <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line className={className} x1={0} x2={0} y1={0} y2={6} />
    </pattern>
  );
}

type TimeAxisOptions = {
  buckets: readonly Bucket[];
  at(place: number): number;
  y: number;
  width: number;
  zone: "utc" | "local";
};

function TimeAxis({ buckets, at, y, width, zone }: TimeAxisOptions) {
  const every = Math.max(1, Math.ceil(buckets.length / Math.max(1, Math.floor(width / 92))));
  return buckets.map(
    ({ fromMs, toMs }, place) =>
      place % every === 0 &&
      at(place) < at(0) + width - 60 && (
        <text key={fromMs} className="chart-tick" x={at(place)} y={y}>
          {bucketTime({ fromMs, toMs }, zone)}
        </text>
      ),
  );
}

function compact(value: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

function useSize() {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (!element) {
      return;
    }
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, size] as const;
}
