import pg from "pg";

/** Another transaction has stored the same value meanwhile. `index` limits this to one unique index. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23505" && (index === undefined || error.constraint === index)
  );
}
