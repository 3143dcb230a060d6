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

type Figure = readonly [name: ReactNode, value: ReactNode];

export function Figures({ label, of }: { label?: string; of: readonly Figure[] }) {
  return (
    <dl className="figures" aria-label={label}>
      {of.map(([name, value], place) => (
        <div key={place}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Options = {
  caption: string;
  /** The first column names its row, the others are figures. */
  heads: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
  className?: string;
  hasRowHeads?: boolean;
};

export function FiguresTable({ caption, heads, rows, className = "figures-table", hasRowHeads = false }: Options) {
  return (
    <table className={className}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, place) => (
            <th key={place} scope="col" className={place === 0 ? undefined : "numeric"}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...figures], row) => (
          <tr key={row}>
            {hasRowHeads ? <th scope="row">{first}</th> : <td>{first}</td>}
            {figures.map((figure, place) => (
              <td key={place} className="numeric">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same as a chart, for people who read the figures or copy them. */
export function AsTable({
  label,
  summary,
  className,
  children,
  ...table
}: Options & { label: string; summary: string; children?: ReactNode }) {
  return (
    <details className={className}>
      <summary>{summary}</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
        <FiguresTable {...table} hasRowHeads />
        {children}
      </div>
    </details>
  );
}
