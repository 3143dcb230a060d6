import pg from "pg";

/** Somebody else has stored the same meanwhile. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "23505";
}
