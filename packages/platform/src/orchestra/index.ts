import type { Kysely } from "kysely";
import { createCounterparties, type Counterparties, type CounterpartyDeps } from "./counterparty.ts";
import type { OrchestraTables } from "./tables.ts";

export type { Counterparties, Counterparty } from "./counterparty.ts";
export { presentCounterparty } from "./present-counterparty.ts";
export type { OrchestraTables } from "./tables.ts";

/** Those who are to be paid. */
export type Orchestra = { counterparties: Counterparties };

export type OrchestraDeps = CounterpartyDeps;

export function createOrchestra(db: Kysely<OrchestraTables>, deps: OrchestraDeps): Orchestra {
  return { counterparties: createCounterparties(db, deps) };
}
