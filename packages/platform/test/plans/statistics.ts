import { addPartition, listPartitions, partitionName } from "@gateway/database";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { Schema } from "../../src/compose/schema.ts";
import { idAt } from "./row-values.ts";

/** 30 days reach into six weeks, 400 days into 16 times four weeks. Requests are partitioned by day. */
const weeks = 6;
export const auditPartitions = 16;
/** 30 days, and today. */
export const requestPartitions = 31;
const dated = [
  { table: "events", prefix: "evt", perRow: 1, spans: weeks },
  { table: "deliveries", prefix: "dlv", perRow: 2, spans: weeks },
  { table: "delivery_attempts", prefix: "dlv", perRow: 2, spans: weeks },
  { table: "audit_events", prefix: "aud", perRow: 1, spans: auditPartitions },
  { table: "request_logs", prefix: "req", perRow: 1, spans: requestPartitions },
];
const weekMs = 7 * 86_400_000;

/** Makes as many partitions as there ever are, with all rows, and the next one. */
export async function partitionRows(db: Kysely<Schema>, last: number): Promise<void> {
  for (const { table, prefix, perRow, spans } of dated) {
    for (const { name } of await listPartitions(db, table)) {
      await sql`drop table ${sql.id(name)}`.execute(db);
    }
    const ends = [
      ...Array.from({ length: spans }, (_, span) =>
        idAt(prefix, Math.ceil((perRow * last * (span + 1)) / spans) + perRow),
      ),
      startOfIds(prefix, Date.now() + weekMs),
    ];
    for (const [index, to] of ends.entries()) {
      await addPartition(db, { table, name: partitionName(table, index * weekMs), from: ends[index - 1] ?? null, to });
    }
  }
}

/** Statistics change only when the test changes them. */
export async function stopAutovacuum(db: Kysely<Schema>): Promise<void> {
  await sql`do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %I set (autovacuum_enabled = false)', name);
    end loop;
  end $$`.execute(db);
}

const ofFirstRows = "with the statistics of its first rows, one for each account";
const none = "without statistics";

/** The statistics that mislead the planner most: each has found faults that the other did not. */
export const worstStatistics = [ofFirstRows, none] as const;

/** Statistics that the planner may have. Each entry changes those that the one before it left. */
export const statistics = {
  [ofFirstRows]: async () => {},
  [none]: (db) =>
    sql`
      select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats where schemaname = 'public'
      union all
      select pg_clear_relation_stats('public', relname) from pg_class
      where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace
    `.execute(db),
  "after ANALYZE": (db) => sql`analyze`.execute(db),
  "with statistics that know one account, one user, one type": async (db) => {
    await sql`do $$ declare place record; begin
      for place in
        select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and column_name in ('account_id', 'user_id', 'webhook_id', 'event_id', 'type', 'status', 'currency', 'reference', 'kind', 'ledger_account_id',
            'cause_id', 'actor_id', 'resource_id', 'wallet_id', 'wallet_status', 'living_account_id', 'counterparty_id', 'transfer_id', 'network')
      loop
        execute format('alter table %I alter column %I set (n_distinct = 1)', place.table_name, place.column_name);
      end loop;
    end $$`.execute(db);
    await sql`analyze`.execute(db);
  },
} satisfies Record<string, (db: Kysely<Schema>) => Promise<unknown>>;

export type StatisticsName = keyof typeof statistics;

/** The names in the order in which they apply. The keys of a literal object are those of its type. */
export const statisticsNames = Object.keys(statistics) as StatisticsName[];
