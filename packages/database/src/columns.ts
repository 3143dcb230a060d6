import type { ColumnType } from "kysely";

/** Written once, with the row. */
export type Immutable<T> = ColumnType<T, T, never>;
/** Written by the database itself. */
export type Derived<T> = ColumnType<T, never, never>;
export type NullableColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** Written as JSON text: the driver would take an array for a Postgres array. */
export type JsonColumn<T> = ColumnType<T, string, string>;
export type MetadataColumn = JsonColumn<Record<string, string>>;
