import type { ReactNode } from "react";

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
