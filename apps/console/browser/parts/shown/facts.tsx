import type { ReactNode } from "react";

/** Names and what they are, in two columns. Null leaves a line out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode] | null)[] }) {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row !== null && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1] ?? <span className="faint">–</span>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
