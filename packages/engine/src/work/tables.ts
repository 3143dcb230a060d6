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
  /** The account's time. */
  fires_at: Date;
  /** Postgres' time; the end of the lease while there is one. */
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
  /** The subject of the fact. Parked facts are tried again when it moves. */
  subject_id: Immutable<string>;
  /** Written as JSON text. */
  fact: ColumnType<FactContent, string, never>;
  /** The first other content that came with the same id. */
  disputed: ColumnType<FactContent | null, string | null | undefined, string | null>;
  status: FactStatus;
  received_at: Immutable<Date>;
};

/** Facts that the simulated external systems will report. A row is deleted when its fact is reported. */
export type PlannedFactsTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  port: Immutable<string>;
  fact_id: Immutable<string>;
  fact: ColumnType<FactContent, string, never>;
};

/** A report in the words of its port. Holds no personal data, because it is kept forever and not encrypted. */
export type FactContent = Readonly<Record<string, unknown>>;

export type FactStatus = "applied" | "parked" | "mismatched" | "superseded" | "dismissed";
