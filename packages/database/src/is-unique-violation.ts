import pg from "pg";

/** Somebody else has stored the same meanwhile; with `index`, what that one keeps apart. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23505" && (index === undefined || error.constraint === index)
  );
}
