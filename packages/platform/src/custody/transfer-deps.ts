import type { CursorCodec } from "@gateway/kernel";
import type { AccountClock } from "@gateway/engine/account-time";
import type { RecordAudit } from "../audit/index.ts";
import type { CreateId } from "@gateway/engine/id";
import type { Ledger } from "../ledger/index.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { WorkService } from "@gateway/engine/work";
import type { Owner } from "./judge-decision.ts";
import type { EndDeps } from "./transfer-end.ts";

export type OwnTransfer = { id: string; accountId: string };

export type TransferDeps = Pick<AccountClock, "inAccount"> &
  EndDeps & {
    createId: CreateId;
    cursors: CursorCodec;
    recordAudit: RecordAudit;
    findWallet: Ledger["wallets"]["get"];
    arm: WorkService["queue"]["arm"];
    listOwners(accountId: string): Promise<Owner[]>;
    listMakers(key: { id: string; accountId: string }): Promise<string[]>;
    simulatedOwners: number;
    livemode: boolean;
    ports: Pick<OutsidePorts, "chain">;
  };
