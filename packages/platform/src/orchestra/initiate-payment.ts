import type { OrchestraDeps } from "./payment.ts";
import { invalidField, Problem } from "@gateway/contract";
import { externalIdUsed } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { postedOrThrow, type Wallet } from "../ledger/index.ts";
import { begin, type TransitionEvent } from "@gateway/engine/move";
import { requirePort } from "@gateway/ports/require-port";
import { findStoppingSum } from "./compliance.ts";
import { lockCounterparty } from "./counterparty.ts";
import { type NewPayment, type Payment } from "./payment.ts";
import type { OrchestraTables, PaymentFailureCode } from "./tables.ts";
import { isOfRail, rails } from "./payment-rail.ts";
import { holdOf, transferOf } from "./payment-entries.ts";
import { presentPayment } from "./present-payment.ts";
import { submitPaymentKind, submittedAfterMs } from "./submit-payment.ts";

type Trx = AccountTransaction<OrchestraTables>;

/** Refuses a request that is wrong. A correct one that lacks money or a verification makes a payment that failed. */
export async function initiatePayment(trx: Trx, deps: OrchestraDeps, input: NewPayment): Promise<Payment> {
  const createdAt = trx.now;
  const wallet = await deps.ledger.wallets.get({ id: input.walletId, accountId: input.accountId });
  if (!wallet) {
    throw invalidField("walletId", "is not a wallet of this account");
  }
  const route = await findRoute(trx, deps, { input, wallet, createdAt });
  refuseInactive(wallet);
  const drafted: Payment = {
    ...{ id: deps.createId("pay"), walletId: wallet.id, destination: input.destination, currency: wallet.currency },
    ...{ amountMinor: input.amountMinor, rail: route.rail, feeMinor: route.feeMinor, returnedMinor: 0 },
    ...{ externalId: input.externalId, metadata: input.metadata, createdAt },
    ...{
      status: "initiated",
      failureCode: null,
      complianceSumMinor: null,
      submittedAt: null,
      settledAt: null,
      failedAt: null,
    },
  };
  const payment = await decide(trx, deps, { ...input, drafted, stoppingSum: route.stoppingSum });
  await insert(trx, { accountId: input.accountId, payment });
  await deps.recordAudit(trx, {
    accountId: input.accountId,
    type: "payment.created",
    resourceId: payment.id,
    after: { walletId: wallet.id, amount: payment.amountMinor, currency: payment.currency, status: payment.status },
  });
  return payment;
}

type Route = Pick<Payment, "rail" | "feeMinor"> & { stoppingSum: number | null };
type Routed = { input: NewPayment; wallet: Wallet; createdAt: Date };

/** Finds the rail and the fee, and whether compliance stops the payment. */
async function findRoute(trx: Trx, deps: OrchestraDeps, { input, wallet, createdAt }: Routed): Promise<Route> {
  const { accountId, destination, amountMinor } = input;
  if ("walletId" in destination) {
    refuseWallet(wallet, await deps.ledger.wallets.get({ id: destination.walletId, accountId }));
    return { rail: "internal", feeMinor: 0, stoppingSum: null };
  }
  const field = "destination.counterpartyId";
  const counterparty = await lockCounterparty(trx, { id: destination.counterpartyId, accountId });
  if (!counterparty) {
    throw invalidField(field, "is not a counterparty of this account");
  }
  if (counterparty.archived_at !== null) {
    throw invalidField(field, "is archived and can no longer be paid");
  }
  const { currency } = wallet;
  if (counterparty.currency !== currency || !isOfRail(currency)) {
    throw invalidField(field, `is paid in ${counterparty.currency}, and the wallet holds ${currency}`);
  }
  requirePort(deps.ports, "rail");
  const judged = { counterparty, currency, amountMinor, createdAt, at: createdAt };
  return { ...rails[currency], stoppingSum: await findStoppingSum(trx, deps, judged) };
}

function refuseWallet(wallet: Wallet, other: Wallet | null): void {
  const field = "destination.walletId";
  if (!other) {
    throw invalidField(field, "is not a wallet of this account");
  }
  if (other.id === wallet.id) {
    throw invalidField(field, "must be a different wallet from the one that pays");
  }
  if (other.currency !== wallet.currency) {
    throw invalidField(field, `holds ${other.currency}, and the wallet that pays holds ${wallet.currency}`);
  }
}

function refuseInactive({ id, status }: Wallet): void {
  if (status !== "active") {
    throw new Problem("WALLET_NOT_ACTIVE", `The wallet ${id} is ${status}, so nothing new is booked in it.`);
  }
}

type Drafted = { accountId: string; drafted: Payment; stoppingSum: number | null };

async function decide(trx: Trx, deps: OrchestraDeps, { accountId, drafted, stoppingSum }: Drafted): Promise<Payment> {
  if (stoppingSum !== null) {
    const stopped = { ...drafted, complianceSumMinor: stoppingSum };
    return fail(trx, deps, { drafted: stopped, failureCode: "compliance_block" });
  }
  if (drafted.amountMinor > Number.MAX_SAFE_INTEGER - drafted.feeMinor) {
    // More than any wallet can hold.
    return fail(trx, deps, { drafted, failureCode: "insufficient_funds" });
  }
  const { payment, announces } = beginningOf(drafted);
  const { kind, entries } = payment.rail === "internal" ? transferOf(payment) : holdOf(payment);
  const cause = { type: "payment", id: payment.id } as const;
  const posted = await deps.ledger.post({ accountId, kind, entries, cause, isUnderWay: false, announces });
  if (posted.kind === "refused" && posted.code === "INSUFFICIENT_FUNDS") {
    return fail(trx, deps, { drafted, failureCode: "insufficient_funds" });
  }
  postedOrThrow(posted);
  if (payment.status === "initiated") {
    const firesAt = new Date(payment.createdAt.getTime() + submittedAfterMs);
    await deps.work.queue.arm({ accountId, kind: submitPaymentKind, subjectId: payment.id, firesAt });
  }
  return payment;
}

/** A payment to a wallet has arrived when it is booked. */
function beginningOf(drafted: Payment): { payment: Payment; announces: readonly TransitionEvent[] } {
  if (drafted.rail !== "internal") {
    const { state: status, event } = begin("Payment", "initiate");
    return { payment: { ...drafted, status }, announces: [event("payment.initiated", presentPayment(drafted))] };
  }
  const { state: status, event } = begin("Payment", "transfer");
  const payment: Payment = { ...drafted, status, settledAt: drafted.createdAt };
  const initiated = event("payment.initiated", presentPayment(drafted));
  return { payment, announces: [initiated, event("payment.settled", presentPayment(payment))] };
}

async function fail(
  trx: Trx,
  deps: OrchestraDeps,
  { drafted, failureCode }: { drafted: Payment; failureCode: PaymentFailureCode },
): Promise<Payment> {
  const { state: status, event } = begin("Payment", "refuse");
  const payment: Payment = { ...drafted, status, failureCode, failedAt: drafted.createdAt };
  await deps.recorder.record(trx, [
    event("payment.initiated", presentPayment(drafted)),
    event("payment.failed", presentPayment(payment)),
  ]);
  return payment;
}

async function insert(trx: Trx, { accountId, payment }: { accountId: string; payment: Payment }): Promise<void> {
  const { destination } = payment;
  const row = await trx
    .insertInto("payments")
    .values({
      ...{ account_id: accountId, id: payment.id, wallet_id: payment.walletId },
      destination_wallet_id: "walletId" in destination ? destination.walletId : null,
      counterparty_id: "counterpartyId" in destination ? destination.counterpartyId : null,
      ...{ amount: payment.amountMinor, currency: payment.currency, rail: payment.rail, fee: payment.feeMinor },
      ...{ status: payment.status, failure_code: payment.failureCode, compliance_sum: payment.complianceSumMinor },
      ...{ external_id: payment.externalId, metadata: JSON.stringify(payment.metadata) },
      ...{ settled_at: payment.settledAt, failed_at: payment.failedAt, created_at: payment.createdAt },
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "external_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  if (!row) {
    throw externalIdUsed("has another payment");
  }
}
