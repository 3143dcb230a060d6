import { busy, id, runStatements } from "../statements.ts";

/**
 * Responses of external services, until the operation that asked has read them. as_of: when that operation began to
 * ask, in Postgres' time.
 */
export const readings = runStatements([
  `create table readings (
    account_id ${id} not null,
    kind text not null,
    subject ${id} not null,
    value jsonb not null,
    as_of timestamptz not null,
    primary key (account_id, kind, subject)
  ) ${busy}`,
  `create index readings_by_as_of on readings (as_of)`,
]);
