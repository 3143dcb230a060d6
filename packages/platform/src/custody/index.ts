import type { Kysely } from "kysely";
import { createDepositAddresses, type DepositAddressDeps, type DepositAddresses } from "./deposit-address.ts";
import { createDeposits, type DepositDeps, type Deposits } from "./deposit.ts";
import { createNetworks, type Networks } from "./network.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import type { OutgoingTables } from "./outgoing-tables.ts";
import { createSimulatedDeposits, type SimulatedDeposits } from "./simulated-deposit.ts";
import type { CustodyTables } from "./tables.ts";
import type { OutgoingDeps } from "./transfer-deps.ts";

export { chainRoute } from "./chain-route.ts";
export type { Deposit, Deposits } from "./deposit.ts";
export { networks, type Network, type Networks } from "./network.ts";
export * from "./outgoing.ts";
export { presentDepositAddress } from "./present-deposit-address.ts";
export { presentDeposit } from "./present-deposit.ts";
export { presentNetwork } from "./present-network.ts";
export type { CustodyTables } from "./tables.ts";

export type Custody = {
  networks: Networks;
  depositAddresses: DepositAddresses;
  deposits: Deposits;
  simulatedDeposits: SimulatedDeposits;
} & Outgoing;

export type CustodyDeps = DepositAddressDeps & DepositDeps & OutgoingDeps;

export function createCustody(db: Kysely<CustodyTables>, deps: CustodyDeps): Custody {
  const depositAddresses = createDepositAddresses(db, deps);
  const deposits = createDeposits(db, deps);
  return {
    networks: createNetworks(deps),
    depositAddresses,
    deposits,
    simulatedDeposits: createSimulatedDeposits(db, { ...deps, depositAddresses, deposits }),
    ...createOutgoing(db.$pickTables<keyof OutgoingTables>(), deps),
  };
}
