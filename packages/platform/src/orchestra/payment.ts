import type { Own } from "@gateway/engine/find-own";
import type { Schemas } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { Selectable } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import type { Recorder } from "../events/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { WorkService } from "@gateway/engine/work";
import type { OrchestraTables, PaymentFailureCode, PaymentRail, PaymentsTable, PaymentStatus } from "./tables.ts";

export type PaymentOutcome = Schemas["PaymentOutcome"];
export type PaymentDestination = { walletId: string } | { counterpartyId: string };

/** Amounts are minor units of the currency. */
export type Payment = {
  id: string;
  walletId: string;
  destination: PaymentDestination;
  amountMinor: number;
  currency: Currency;
  rail: PaymentRail;
  feeMinor: number;
  status: PaymentStatus;
  failureCode: PaymentFailureCode | null;
  /** The sum to its account number in 24 hours, when compliance stopped it. */
  complianceSumMinor: number | null;
  returnedMinor: number;
  externalId: string | null;
  metadata: Record<string, string>;
  submittedAt: Date | null;
  settledAt: Date | null;
  failedAt: Date | null;
  createdAt: Date;
};

export type NewPayment = {
  accountId: string;
  walletId: string;
  destination: PaymentDestination;
  amountMinor: number;
  externalId: string | null;
  metadata: Record<string, string>;
};

export type PaymentDeps = Pick<NounDeps, "cipher" | "createId" | "cursors" | "inAccount" | "recordAudit"> & {
  recorder: Recorder;
  ledger: Pick<Ledger, "post" | "wallets">;
  identity: { verifications: Pick<Identity["verifications"], "isValid"> };
  ports: Pick<OutsidePorts, "rail">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
};

export const paymentTable = { machine: "Payment", table: "payments" } as const;

export function lockPayment(trx: Transaction<OrchestraTables>, { id, accountId }: Own) {
  return trx
    .selectFrom("payments")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export function paymentOf(row: Selectable<PaymentsTable>): Payment {
  return {
    id: row.id,
    walletId: row.wallet_id,
    destination:
      row.destination_wallet_id === null
        ? // One of them is null, and the table has a check for it.
          { counterpartyId: row.counterparty_id as string }
        : { walletId: row.destination_wallet_id },
    amountMinor: row.amount,
    currency: row.currency,
    rail: row.rail,
    feeMinor: row.fee,
    status: row.status,
    failureCode: row.failure_code,
    complianceSumMinor: row.compliance_sum,
    returnedMinor: row.returned_amount,
    externalId: row.external_id,
    metadata: row.metadata,
    submittedAt: row.submitted_at,
    settledAt: row.settled_at,
    failedAt: row.failed_at,
    createdAt: row.created_at,
  };
}
