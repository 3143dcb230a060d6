import type { Kysely } from "kysely";
import { networks, type Network } from "./network.ts";
import type { CustodyTables } from "./tables.ts";

export { networkOf, networks, type CustodyCurrency, type Network } from "./network.ts";
export type { CustodyTables } from "./tables.ts";

/** Money on its networks: where it comes in, and how it goes out. */
export type Custody = { networks: readonly Network[] };

export type CustodyDeps = object;

export function createCustody(_db: Kysely<CustodyTables>, _deps: CustodyDeps): Custody {
  return { networks };
}
