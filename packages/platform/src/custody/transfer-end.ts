import type { CustodyDeps } from "./transfer-deps.ts";
import type { NounOf } from "@gateway/engine/noun";
import type { Schemas } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Kysely, Selectable } from "kysely";
import { expectMoved, move } from "@gateway/engine/move";
import { postedOrThrow, type Ledger, type PostingEntry } from "../ledger/index.ts";
import type { OutgoingTables, TransfersTable } from "./tables.ts";

export const submitTransferKind = "transfer.submit";

export type TransferRow = Selectable<TransfersTable>;

export type Transfer = NounOf<TransferRow>;

export const transferTable = { machine: "CustodyTransfer", table: "transfers" } as const;

/** Locks the transfer. It is locked before its approval wherever both are locked. */
export function lockTransfer(trx: Transaction<OutgoingTables>, own: Own): Promise<TransferRow | undefined> {
  return selectTransfer(trx, own).forNoKeyUpdate().executeTakeFirst();
}

export function selectTransfer(db: Kysely<OutgoingTables>, own: Own) {
  return db.selectFrom("transfers").selectAll().where(isOwn(own));
}

type Ending = { transfer: TransferRow; failureCode: Schemas["CustodyTransferFailureCode"] };

/** Makes the held amount available again, whatever the state of its wallet. The caller holds the transfer. */
export async function endTransfer(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  name: "reject" | "expire" | "cancel" | "fail",
  { transfer, failureCode }: Ending,
): Promise<TransferRow> {
  const { id, account_id: accountId } = transfer;
  const set = { failure_code: failureCode };
  const done = expectMoved(await move(trx, transferTable, name, { id, accountId, set }));
  await deps.ledger.post(holding(transfer, "release")).then(postedOrThrow);
  return done.row;
}

/** A posting that holds a transfer's amount and fee, or releases them. */
export function holding(transfer: TransferRow, kind: "hold" | "release"): Parameters<Ledger["post"]>[0] {
  const { id, account_id: accountId, wallet_id: walletId } = transfer;
  const amountMinor = totalMinor(transfer);
  const available: PostingEntry["place"] = { kind: "wallet", walletId, part: "available" };
  const held: PostingEntry["place"] = { kind: "wallet", walletId, part: "held" };
  const [from, to] = kind === "hold" ? [available, held] : [held, available];
  return {
    accountId,
    kind,
    cause: { type: "transfer", id },
    isUnderWay: kind === "release",
    entries: [
      { place: from, direction: "debit", amountMinor },
      { place: to, direction: "credit", amountMinor },
    ],
  };
}

/** Never past 2^53 - 1, because no transfer begins that would hold more. */
export function totalMinor({ amount, fee }: Pick<TransferRow, "amount" | "fee">): number {
  return amount + fee;
}
