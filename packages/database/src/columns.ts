import type { ColumnType } from "kysely";

/** Written once, with the row. */
export type Immutable<T> = ColumnType<T, T, never>;
export type NullableColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;
