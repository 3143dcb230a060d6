type Hour = {
  readonly startsAt: string;
  readonly attempts: number;
  readonly delivered: number;
  readonly failed: number;
  readonly p95Ms: number | null;
};

const [barWidth, barStep, height] = [9, 12, 44];

/** Attempts by the hour: what was delivered, and what failed on top of it; the same as a table. */
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
      <details>
        <summary>As a table</summary>
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Attempts by the hour, as a table">
          <table className="figures-table">
            <caption className="unseen">Attempts by the hour</caption>
            <thead>
              <tr>
                <th scope="col">Hour</th>
                <th scope="col" className="numeric">
                  Attempts
                </th>
                <th scope="col" className="numeric">
                  Delivered
                </th>
                <th scope="col" className="numeric">
                  Failed
                </th>
                <th scope="col" className="numeric">
                  p95
                </th>
              </tr>
            </thead>
            <tbody>
              {hours.toReversed().map(({ startsAt, attempts, delivered, failed: bad, p95Ms }) => (
                <tr key={startsAt}>
                  <th scope="row">{nameOf(startsAt)}</th>
                  <td className="numeric">{attempts}</td>
                  <td className="numeric">{delivered}</td>
                  <td className="numeric">{bad}</td>
                  <td className="numeric">{p95Ms === null ? "–" : `${p95Ms} ms`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Bar({ tone, index, from, size }: { tone: "good" | "bad"; index: number; from: number; size: number }) {
  const top = Math.max(0, height - from - size);
  return size === 0 ? null : (
    <rect data-tone={tone} x={index * barStep + 1} y={top} width={barWidth} height={height - from - top} />
  );
}
