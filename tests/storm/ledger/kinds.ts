import { eventTypes, stateMachines } from "@gateway/contract";
import { sql, type RawBuilder } from "kysely";
import { machines } from "./machines.ts";

/** Resources in states that they leave again. */
export const passingKinds: readonly string[] = machines.flatMap(({ name, open }) =>
  open.map((state) => `${name} ${state}`),
);

/**
 * Rows of (number, kind, count): for each kind of row that an invariant judges, the number of such rows. An invariant
 * without any rows shows nothing.
 */
export const countKinds: RawBuilder<{ number: number; kind: string; count: number }> = sql`
  ${sql.join(
    [
      count(1, "entries", sql`from ledger_entries`),
      count(2, "wallets", sql`from wallets`),
      count(2, "accounts of own bookkeeping", sql`from ledger_accounts where kind = 'own'`),
      count(3, "payments that hold", sql`from payments where status = 'initiated' and counterparty_id is not null`),
      count(3, "transfers that hold", sql`from transfers where status in ('initiated', 'broadcast')`),
      count(3, "deposits that are pending", sql`from deposits where status = 'detected'`),
      count(4, "wallets that are not active", sql`from wallets where status <> 'active'`),
      count(4, "reversals", sql`from ledger_transactions where reverses is not null`),
      ...machines.map(({ name, table }) => countEach(4, `${name} `, stateMachines[name].states, sql`status`, table)),
      countEach(5, "", eventTypes, sql`type`, "events"),
      countEach(6, "facts of ", ["chain", "kycEngine", "rail"], sql`port`, "inbox_facts"),
      count(8, "rows that seal personal data", sql`from kyc_verifications where personal is not null`),
      count(8, "account numbers", sql`from counterparties`),
      count(9, "advances of a clock", sql`from audit_events where type = 'account.clock_advanced'`),
      count(10, "timers", sql`from work_items`),
    ],
    sql` union all `,
  )}`;

function count(number: number, kind: string, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${sql.lit(number)} as number, ${kind}::text as kind, count(*)::int as count ${rows}`;
}

/** Counts the rows for each possible value of a column. */
function countEach(
  number: number,
  prefix: string,
  values: readonly string[],
  column: RawBuilder<unknown>,
  table: string,
): RawBuilder<unknown> {
  return sql`
    select ${sql.lit(number)}, ${prefix}::text || value, count(counted)::int
    from unnest(${[...values]}::text[]) as value left join (
      select ${column} as counted from ${sql.table(table)}
    ) as rows on counted = value
    group by value`;
}
