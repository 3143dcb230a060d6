import pg from "pg";

/** No connection became available in time. */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
}

/** The transaction was rolled back, unless that is unknown because its connection had to be cut. */
export class TransactionTimeoutError extends DatabaseUnavailableError {
  override name = "TransactionTimeoutError";
}

/** A write was rolled back before its commit, because commits wait for an unresponsive standby. */
export class WritesRefusedError extends DatabaseUnavailableError {
  override name = "WritesRefusedError";
}

/** True when a retry may succeed (503). A write may have happened. False for the caller's faults. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) {
    return true;
  }
  if (error instanceof pg.DatabaseError) {
    return (error.code !== undefined && isUnavailableState(error.code)) || isWithoutPartition(error);
  }
  if (!(error instanceof Error)) {
    return false;
  }
  if ("code" in error && typeof error.code === "string" && networkCodes.has(error.code)) {
    return true;
  }
  return driverMessages.has(error.message);
}

/** A row has no partition: the programs that create partitions in time have not run, or could not. */
export function isWithoutPartition(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "23514" && error.constraint === undefined;
}

/** True when the connection must not serve another query: its state is unknown, or its server is going away. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof TransactionTimeoutError || error instanceof WritesRefusedError) {
    return false;
  }
  if (error instanceof pg.DatabaseError) {
    return (
      error.code === undefined || error.code.startsWith("57P") || error.code.startsWith("08") || error.code === readOnly
    );
  }
  return true;
}

/** A demoted server refuses writes with this code. The next connection may reach the new primary. */
const readOnly = "25006";

/** 08 connection, 53 resources, 57P shutdown and crash, 57014 the statement timeout that we set ourselves. */
function isUnavailableState(code: string): boolean {
  return (
    code.startsWith("08") || code.startsWith("53") || code.startsWith("57P") || code === "57014" || code === readOnly
  );
}

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** `pg` gives these no code. */
const driverMessages = new Set([
  "Query read timeout",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);
