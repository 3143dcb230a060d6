import type { ReactNode } from "react";

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
