import pg from "pg";
import { isUnavailable } from "./is-unavailable.ts";

/** It is a standby, or was made so. */
export class ReadOnlyDatabaseError extends Error {
  override name = "ReadOnlyDatabaseError";
}

/** For what `tryWrite` rejects with. Files that the server cannot make have no SQLSTATE of their own. */
export function isUnwritable(error: unknown): boolean {
  return (
    error instanceof ReadOnlyDatabaseError ||
    (error instanceof pg.DatabaseError && (error.code === diskFull || !isUnavailable(error)))
  );
}

const diskFull = "53100";
