import type { Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

export type WorkTables = {
  work_items: WorkItemsTable;
  inbox_facts: InboxFactsTable;
  planned_facts: PlannedFactsTable;
};

export type WorkItemsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  kind: Immutable<string>;
  subject_id: Immutable<string>;
  /** In the account's time. */
  fires_at: Date;
  /** In Postgres' time; the end of the lease while there is one. */
  due_at: Date;
  lease: NullableColumn<string>;
  /** Claims since it was armed. */
  attempts: ColumnType<number, number | undefined, number>;
};

export type InboxFactsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  port: Immutable<string>;
  fact_id: Immutable<string>;
  /** What it is about: facts that wait are tried again when this moves. */
  subject_id: Immutable<string>;
  /** Written as JSON text. */
  fact: ColumnType<FactContent, string, never>;
  /** What came under the same name and says something else, the first such. */
  disputed: ColumnType<FactContent | null, string | null | undefined, string | null>;
  status: FactStatus;
  received_at: Immutable<Date>;
};

/** What the simulated outside will tell; gone when it is told. */
export type PlannedFactsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  port: Immutable<string>;
  fact_id: Immutable<string>;
  fact: ColumnType<FactContent, string, never>;
};

/** What the outside says, as its port words it. Holds no personal data: it is kept for ever and in clear. */
export type FactContent = Readonly<Record<string, unknown>>;

export type FactStatus = "applied" | "parked" | "mismatched" | "superseded" | "dismissed";
