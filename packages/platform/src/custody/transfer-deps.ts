import type { CursorCodec } from "@gateway/kernel";
import type { AccountTime } from "../account-time.ts";
import type { RecordAudit } from "../audit/index.ts";
import type { CreateId } from "../id.ts";
import type { Ledger } from "../ledger/index.ts";
import type { OutsidePorts } from "../ports/index.ts";
import type { WorkService } from "../work/index.ts";
import type { Owner } from "./judge-decision.ts";
import type { EndDeps } from "./transfer-end.ts";

/** Of one account. */
export type OwnTransfer = { id: string; accountId: string };

export type TransferDeps = EndDeps & {
  accountTime: AccountTime;
  createId: CreateId;
  cursors: CursorCodec;
  recordAudit: RecordAudit;
  findWallet: Ledger["wallets"]["get"];
  arm: WorkService["queue"]["arm"];
  listOwners(accountId: string): Promise<Owner[]>;
  /** See `ApiKeys.listMakers`. */
  listMakers(key: { id: string; accountId: string }): Promise<string[]>;
  /** See `TransferPolicyDeps`. */
  simulatedOwners: number;
  livemode: boolean;
  ports: Pick<OutsidePorts, "chain">;
};
