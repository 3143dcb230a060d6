import pg from "pg";

/** True when Postgres ended this transaction because it and another waited for each other. The other goes on, this one may try again.
 * A server may look for it sooner than others. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "40P01";
}
