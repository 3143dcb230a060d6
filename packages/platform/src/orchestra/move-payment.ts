import type { OrchestraDeps } from "./payment.ts";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql, type Selectable } from "kysely";
import { postedOrThrow } from "../ledger/index.ts";
import { move, type ToEvent, type TransitionEvent } from "@gateway/engine/move";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import { decideRailFact } from "./decide-rail-fact.ts";
import { releaseOf, returnOf, settlementOf } from "./payment-entries.ts";
import { lockPayment, paymentOf, paymentTable, type Payment } from "./payment.ts";
import type { OrchestraTables, PaymentFailureCode, PaymentsTable } from "./tables.ts";
import { presentPayment } from "./present-payment.ts";

type Trx = AccountTransaction<OrchestraTables>;

/** One of several concurrent cancelations and the submission wins: the payment is either canceled or submitted. */
export async function cancelPayment(trx: Trx, deps: OrchestraDeps, own: Own): Promise<Payment | null> {
  const moved = await move(trx, paymentTable, "cancel", {
    ...own,
    set: { failure_code: "canceled", failed_at: trx.now },
    guard: sql<boolean>`submitted_at is null`,
  });
  if (!moved) {
    return null;
  }
  const payment = await release(deps, own, moved);
  await deps.work.inbox.resume({ accountId: own.accountId, subjectId: own.id });
  await deps.recordAudit(trx, { accountId: own.accountId, type: "payment.canceled", resourceId: own.id });
  return payment;
}

export async function blockPayment(
  trx: Trx,
  deps: OrchestraDeps,
  { complianceSumMinor, ...own }: Own & Pick<Payment, "complianceSumMinor">,
): Promise<void> {
  const moved = await move(trx, paymentTable, "block", {
    ...own,
    set: { failure_code: "compliance_block", compliance_sum: complianceSumMinor, failed_at: trx.now },
  });
  if (moved) {
    await release(deps, own, moved);
    await deps.work.inbox.resume({ accountId: own.accountId, subjectId: own.id });
  }
}

/** Money moves only as `decideRailFact` decides. */
export async function applyRailFact(trx: Trx, deps: OrchestraDeps, fact: Fact): Promise<FactVerdict> {
  const own = { id: fact.subjectId, accountId: fact.accountId };
  const row = await lockPayment(trx, own);
  const decision = decideRailFact(row ? paymentOf(row) : null, fact.content);
  switch (decision.kind) {
    case "settle":
      await settle(trx, deps, own);
      return "applied";
    case "fail":
      await fail(trx, deps, { own, failureCode: decision.failureCode });
      return "applied";
    case "return":
      return row ? giveBack(trx, deps, { own, row, amountMinor: decision.amountMinor }) : "parked";
    case "none":
      return decision.verdict;
  }
}

async function settle(trx: Trx, deps: OrchestraDeps, own: Own): Promise<void> {
  const moved = await move(trx, paymentTable, "settle", { ...own, set: { settled_at: trx.now } });
  if (moved) {
    const payment = paymentOf(moved.row);
    const announces = [moved.event("payment.settled", presentPayment(payment))];
    await book(deps, own, { ...settlementOf(payment), announces });
  }
}

type Failing = { own: Own; failureCode: PaymentFailureCode };

async function fail(trx: Trx, deps: OrchestraDeps, { own, failureCode }: Failing): Promise<void> {
  const moved = await move(trx, paymentTable, "fail", {
    ...own,
    set: { failure_code: failureCode, failed_at: trx.now },
  });
  if (moved) {
    await release(deps, own, moved);
  }
}

type Failed = { row: Selectable<PaymentsTable>; event: ToEvent<"payment.failed" | "wallet.balance_changed"> };

async function release(deps: OrchestraDeps, own: Own, { row, event }: Failed): Promise<Payment> {
  const payment = paymentOf(row);
  const announces = [event("payment.failed", presentPayment(payment))];
  await book(deps, own, { ...releaseOf(payment), announces });
  return payment;
}

type Returned = { own: Own; row: Selectable<PaymentsTable>; amountMinor: number };

/** A return that no longer fits into the wallet waits until it does. */
async function giveBack(trx: Trx, deps: OrchestraDeps, { own, row, amountMinor }: Returned): Promise<FactVerdict> {
  const { accountId, id } = own;
  const posted = await deps.ledger.post({
    ...{ accountId, cause: { type: "payment", id }, isUnderWay: true },
    ...returnOf(paymentOf(row), amountMinor),
  });
  if (posted.kind === "refused") {
    return "parked";
  }
  await trx
    .updateTable("payments")
    .set({ returned_amount: row.returned_amount + amountMinor })
    .where(isOwn({ id, accountId }))
    .execute();
  return "applied";
}

/** Held money can be booked, so a refusal is our fault. */
async function book(
  deps: OrchestraDeps,
  { accountId, id }: Own,
  booking: ReturnType<typeof releaseOf> & { announces: readonly TransitionEvent[] },
): Promise<void> {
  postedOrThrow(await deps.ledger.post({ accountId, cause: { type: "payment", id }, isUnderWay: true, ...booking }));
}
