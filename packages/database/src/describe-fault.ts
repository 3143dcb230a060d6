import pg from "pg";
import { isUnavailable } from "./is-unavailable.ts";
import { DeafListenerError } from "./listener.ts";

/** A start that its database made fail. The message is for the operator. */
export class DatabaseFault extends Error {
  override name = "DatabaseFault";
}

/** A sentence that tells the operator what to do. Null when no operator can change it. */
export function describeDatabaseFault(error: unknown, setting = "DATABASE_URL"): string | null {
  if (!(error instanceof Error)) {
    return null;
  }
  if (error instanceof DeafListenerError || error instanceof DatabaseFault) {
    return error.message;
  }
  const found = findFault(error);
  if (found) {
    return found.fault.say(found.error.message, setting);
  }
  const unavailable = findUnavailable(error);
  return unavailable && `The database does not answer (${unavailable.message}). Check ${setting}.`;
}

/** The same for the embedded Postgres, which has no settings: its faults come from the machine. */
export function describeEmbeddedFault(error: unknown, dataDir: string): string | null {
  if (error instanceof DatabaseFault) {
    return error.message;
  }
  const unavailable = findUnavailable(error);
  return (
    unavailable &&
    `The embedded Postgres of ${dataDir} does not answer (${unavailable.message}). ` +
      `The machine may be too busy for it: start again when it is not, or see ${dataDir}/postgres.log.`
  );
}

/** True for faults that may pass: the server starts, is full, slow or away. False for those that need a person. */
export function isPassingFault(error: Error): boolean {
  const found = findFault(error);
  return found ? found.fault.passes === true : isUnavailable(error);
}

/** The first error in the chain of causes that says what is wrong. */
function findFault(error: unknown): { fault: Fault; error: Error } | null {
  if (!(error instanceof Error)) {
    return null;
  }
  const fault = faults.find(({ matches }) => matches(error));
  return fault ? { fault, error } : findFault(error.cause);
}

/** Prefers the cause of a caller's timeout: the failure of the last dial says more. */
function findUnavailable(error: unknown): Error | null {
  if (!(error instanceof Error)) {
    return null;
  }
  return findUnavailable(error.cause) ?? (isUnavailable(error) ? error : null);
}

type Fault = { matches(error: Error): boolean; say(message: string, setting: string): string; passes?: true };

/** Identified by SQLSTATE. PgBouncer's errors have no state of their own, so their text identifies them. */
const faults: readonly Fault[] = [
  {
    matches: (error) =>
      hasState(error, "28P01", "28000") || /^SASL|password authentication failed|auth failed/.test(error.message),
    say: (message, setting) => `The database refuses the user or the password of ${setting} (${message}).`,
  },
  {
    matches: (error) =>
      /\bSSL\b|\bTLS\b/.test(error.message) || ("code" in error && /CERT|^ERR_TLS/.test(String(error.code))),
    say: (message, setting) => `The database of ${setting} cannot be reached over TLS (${message}). Check its sslmode.`,
  },
  {
    matches: (error) => hasState(error, "3D000") || /^no such database/.test(error.message),
    say: (message, setting) => `The database of ${setting} does not exist (${message}). Create it, or name another.`,
  },
  {
    matches: (error) => hasState(error, "42501", "3F000"),
    say: (message, setting) =>
      `The user of ${setting} may not do this in the database (${message}). It needs to own its tables, and "grant create on schema public" to make them.`,
  },
  {
    matches: (error) => hasState(error, "57P03"),
    say: (message, setting) => `The database of ${setting} is not ready yet (${message}). Start again when it is.`,
    passes: true,
  },
  {
    matches: (error) => hasState(error, "25006"),
    say: (message, setting) =>
      `The database of ${setting} takes no writes (${message}). It is a standby, or still recovers: name the primary.`,
  },
  {
    matches: (error) => hasState(error, "53300") || /^no more connections allowed/.test(error.message),
    say: (message, setting) =>
      `The database of ${setting} has no free connection (${message}). Lower DATABASE_POOL, or allow more connections there.`,
    passes: true,
  },
];

function hasState(error: Error, ...states: string[]): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code);
}
