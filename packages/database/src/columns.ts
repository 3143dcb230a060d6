import type { ColumnType } from "kysely";

/** Written once, with the row. */
export type Immutable<T> = ColumnType<T, T, never>;
/** Written by the database itself. */
export type Derived<T> = ColumnType<T, never, never>;
export type NullableColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;
