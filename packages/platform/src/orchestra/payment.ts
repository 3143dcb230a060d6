import { nounOf } from "@gateway/engine/noun";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { Schemas } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import type { Selectable } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import type { Recorder } from "../events/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { WorkService } from "@gateway/engine/work";
import type { OrchestraTables, PaymentsTable } from "./tables.ts";

export type PaymentOutcome = Schemas["PaymentOutcome"];
export type PaymentDestination = { walletId: string } | { counterpartyId: string };

/** Amounts are minor units of the currency. */
export type Payment = ReturnType<typeof paymentOf>;

export type NewPayment = {
  accountId: string;
  walletId: string;
  destination: PaymentDestination;
  amountMinor: number;
  externalId: string | null;
  metadata: Record<string, string>;
};

export type OrchestraDeps = NounDeps & {
  recorder: Recorder;
  ledger: Pick<Ledger, "post" | "wallets">;
  identity: { verifications: Pick<Identity["verifications"], "isValid"> };
  ports: Pick<OutsidePorts, "rail">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
};

type PaymentRow = Selectable<PaymentsTable>;

export const paymentTable = { machine: "Payment", table: "payments" } as const;

export function lockPayment(trx: Transaction<OrchestraTables>, own: Own) {
  return trx.selectFrom("payments").selectAll().where(isOwn(own)).forNoKeyUpdate().executeTakeFirst();
}

export function paymentOf({ destination_wallet_id: walletId, counterparty_id: counterpartyId, ...row }: PaymentRow) {
  const { amount, fee, compliance_sum: complianceSumMinor, returned_amount: returnedMinor, ...columns } = row;
  const destination: PaymentDestination =
    walletId === null
      ? // One of them is null, and the table has a check for it.
        { counterpartyId: counterpartyId as string }
      : { walletId };
  return {
    ...nounOf(columns),
    destination,
    amountMinor: amount,
    feeMinor: fee,
    complianceSumMinor,
    returnedMinor,
  };
}
