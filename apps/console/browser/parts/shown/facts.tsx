import type { ReactNode } from "react";

type Fact = readonly [name: string, value: ReactNode];

/** Names and what they are, in two columns. Null leaves a line out, and so does a time that is null. */
export function Facts({ rows }: { rows: readonly (Fact | null | "" | false)[] }) {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1] ?? <span className="faint">–</span>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
