import type { Readings } from "@gateway/engine/readings";
import type { WorkService } from "@gateway/engine/work";
import type { OutsidePorts } from "@gateway/ports";
import type { Accounts } from "../accounts/index.ts";
import type { NounDeps } from "../audit/index.ts";
import type { Ledger } from "../ledger/index.ts";

/** Dependencies of every noun of custody. */
export type CustodyDeps = NounDeps & {
  accounts: Pick<Accounts, "apiKeys" | "people">;
  ledger: Pick<Ledger, "post" | "wallets">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
  ports: Pick<OutsidePorts, "chain">;
  readings: Pick<Readings, "read">;
};

/** Number of simulated owners who approve in addition to people: the maximum of a rule, only in the sandbox. */
export function simulatedOwnersOf({ livemode }: Pick<CustodyDeps, "livemode">): number {
  return livemode ? 0 : 5;
}
