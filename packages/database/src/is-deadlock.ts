import pg from "pg";

/** True when Postgres ended this transaction, not the other, because both waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}
