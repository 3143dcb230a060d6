import type { DataOf } from "../../data/calls.ts";
import { AsTable } from "../../parts/shown/figures-table.tsx";

type Hour = DataOf<"getWebhookHealth">["perHour"][number];

const [barWidth, barStep, height] = [9, 12, 44];

export function HourBars({ hours, nameOf }: { hours: readonly Hour[]; nameOf(hour: string): string }) {
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts));
  const scaled = (count: number): number => (count === 0 ? 0 : Math.max(2, (height * count) / most));
  const [first, last] = [hours[0], hours.at(-1)];
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <figure className="hours">
      <svg
        viewBox={`0 0 ${hours.length * barStep} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Attempts by the hour, at most ${most}; ${failed} failed`}
      >
        {hours.map(({ startsAt, delivered, failed: bad, attempts }, index) => (
          <g key={startsAt}>
            <title>{`${nameOf(startsAt)}: ${attempts} attempts, ${bad} failed`}</title>
            <rect className="hour" x={index * barStep} y={0} width={barStep} height={height} />
            <Bar tone="good" index={index} from={0} size={scaled(delivered)} />
            <Bar tone="bad" index={index} from={scaled(delivered)} size={scaled(bad)} />
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{first && nameOf(first.startsAt)}</span>
        <span>{last && nameOf(last.startsAt)}</span>
      </figcaption>
      <AsTable
        summary="As a table"
        label="Attempts by the hour, as a table"
        caption="Attempts by the hour"
        heads={["Hour", "Attempts", "Delivered", "Failed", "p95"]}
        rows={hours
          .toReversed()
          .map(({ startsAt, attempts, delivered, failed: bad, p95Ms }) => [
            ...[nameOf(startsAt), attempts, delivered, bad],
            p95Ms === null ? "–" : `${p95Ms} ms`,
          ])}
      />
    </figure>
  );
}

function Bar({ tone, index, from, size }: { tone: "good" | "bad"; index: number; from: number; size: number }) {
  const top = Math.max(0, height - from - size);
  return size === 0 ? null : (
    <rect data-tone={tone} x={index * barStep + 1} y={top} width={barWidth} height={height - from - top} />
  );
}
