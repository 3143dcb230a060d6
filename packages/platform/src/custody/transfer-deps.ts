import type { WorkService } from "@gateway/engine/work";
import type { OutsidePorts } from "@gateway/ports";
import type { Accounts } from "../accounts/index.ts";
import type { NounDeps } from "../audit/index.ts";
import type { Ledger } from "../ledger/index.ts";

type Common = "accountNow" | "createId" | "cursors" | "inAccount" | "livemode" | "recordAudit";

/** What everything that goes out is made of. */
export type OutgoingDeps = Pick<NounDeps, Common> & {
  accounts: Pick<Accounts, "apiKeys" | "people">;
  ledger: Pick<Ledger, "post" | "wallets">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
  ports: Pick<OutsidePorts, "chain">;
};

/** Owners who approve beside those who are people: as many as a rule may ask for, in the sandbox alone. */
export function simulatedOwnersOf({ livemode }: Pick<OutgoingDeps, "livemode">): number {
  return livemode ? 0 : 5;
}
