import { isOwn } from "@gateway/engine/find-own";
import type { OrchestraDeps } from "./payment.ts";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Rail } from "@gateway/ports";
import { findStoppingSum } from "./compliance.ts";
import { lockCounterparty, readAccountNumber } from "./counterparty.ts";
import { blockPayment } from "./move-payment.ts";
import { lockPayment } from "./payment.ts";
import { isOfRail } from "./payment-rail.ts";
import type { OrchestraTables } from "./tables.ts";

type Trx = AccountTransaction<OrchestraTables>;
type Timed = { id: string; accountId: string; at: Date };

export const submitPaymentKind = "payment.submit";
export const silentPaymentKind = "payment.silence";

/** The time in which a payment can be canceled. */
export const submittedAfterMs = 5_000;
/** After this time without an outcome, the rail is asked to take the payment back. */
export const silentAfterMs = 7 * 24 * 60 * 60 * 1000;
/** After this time it is asked again, with an alarm. */
export const silentAgainAfterMs = 24 * 60 * 60 * 1000;

/** Checks compliance again. A payment recorded as submitted is submitted again: the rail knows it by its id. */
export async function startSubmission(
  trx: Trx,
  deps: OrchestraDeps,
  { at, ...own }: Timed,
): Promise<Parameters<Rail["submit"]>[0] | null> {
  const row = await lockPayment(trx, own);
  if (
    row?.status !== "initiated" ||
    row.counterparty_id === null ||
    row.rail === "internal" ||
    !isOfRail(row.currency)
  ) {
    return null;
  }
  const { accountId, id } = own;
  if (row.submitted_at === null) {
    const counterparty = await lockCounterparty(trx, { accountId, id: row.counterparty_id });
    const judged = { currency: row.currency, amountMinor: 0, createdAt: row.created_at, at };
    const stoppingSum = counterparty && (await findStoppingSum(trx, deps, { ...judged, counterparty }));
    if (!counterparty || stoppingSum !== null) {
      await blockPayment(trx, deps, { ...own, complianceSumMinor: stoppingSum ?? null });
      return null;
    }
    await trx.updateTable("payments").set({ submitted_at: at }).where(isOwn({ id, accountId })).execute();
    const firesAt = new Date(at.getTime() + silentAfterMs);
    await deps.work.queue.arm({ accountId, kind: silentPaymentKind, subjectId: id, firesAt });
  }
  return {
    ...{ accountId, paymentId: id, rail: row.rail, amountMinor: row.amount, currency: row.currency },
    accountNumber: await readAccountNumber(trx, deps, { accountId, id: row.counterparty_id }),
  };
}

export async function startCancelation(
  trx: Trx,
  _deps: OrchestraDeps,
  { at, ...own }: Timed,
): Promise<{ isAgain: boolean } | null> {
  const row = await lockPayment(trx, own);
  return row?.status === "initiated" && row.submitted_at !== null
    ? { isAgain: at.getTime() > row.submitted_at.getTime() + silentAfterMs }
    : null;
}
