import type { OperationRow } from "../../data/calls.ts";

type Options = { verb: string; label: string; rows: readonly OperationRow[]; isByService?: boolean };

export function OpenedOperations({ verb, label, rows, isByService = false }: Options) {
  return rows.length === 0 ? null : (
    <>
      <h3>
        {verb} {rows.length} operations
      </h3>
      <div className="opened-list" tabIndex={0} role="region" aria-label={label}>
        {[...Map.groupBy(rows, ({ service }) => (isByService ? service : ""))].map(([service, ofService]) => (
          <section key={service}>
            {service && <h4>{service}</h4>}
            <ul>
              {ofService.map(({ method, path, summary, permission }) => (
                <li key={`${method} ${path}`} data-permission={permission}>
                  <code>{method.toUpperCase()}</code> {summary}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
