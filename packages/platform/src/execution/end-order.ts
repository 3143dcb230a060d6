import { isOwn, type Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { postedOrThrow, type Posting } from "../ledger/index.ts";
import { move } from "@gateway/engine/move";
import { chainSumsOf, type OrderDeps, type OrderRow, orderTable, termsOf } from "./order.ts";
import type { ExecutionTables, OrderRejectionCode } from "./tables.ts";
import { releaseOf } from "./order-entries.ts";
import { holdOfRest } from "./order-money.ts";
import { cancelOrderKind, reconcileOrderKind } from "./order-kinds.ts";

type Trx = AccountTransaction<ExecutionTables>;

export function ownOf({ id, account_id: accountId }: OrderRow): Own {
  return { id, accountId };
}

/** The amount is held, so it can be booked, and a refusal is a fault in our code. */
async function book(deps: OrderDeps, row: OrderRow, booking: Pick<Posting, "kind" | "entries">): Promise<void> {
  const { id, account_id: accountId } = row;
  postedOrThrow(await deps.ledger.post({ accountId, cause: { type: "order", id }, isUnderWay: true, ...booking }));
}

/** Makes the amount that is still held available again. */
export async function release(deps: OrderDeps, row: OrderRow, amountMinor = row.hold - row.charged): Promise<void> {
  if (amountMinor > 0) {
    await book(deps, row, releaseOf(row, amountMinor));
  }
}

type Rejecting = { row: OrderRow; name: "reject" | "endReplacement"; code: OrderRejectionCode };

/** Rejects an order without fills. Facts about it that waited meanwhile are decided then. */
export async function rejectOrder(trx: Trx, deps: OrderDeps, { row, name, code }: Rejecting): Promise<void> {
  await move(trx, orderTable, name, {
    ...ownOf(row),
    set: { rejection_code: code, closed_at: trx.now, is_waiting: false },
  });
  await release(deps, row);
  await deps.work.inbox.resume({ accountId: row.account_id, subjectId: row.id });
}

/** The replacement continues with the rest of the total, and with the amounts held for both orders. */
export async function takeOver(
  trx: Trx,
  deps: OrderDeps,
  { row, replaced }: { row: OrderRow; replaced: OrderRow },
): Promise<void> {
  const { id, account_id: accountId } = row;
  const quantity = Number(row.total_quantity) - replaced.filled_quantity;
  const hold = row.hold + replaced.hold - replaced.charged;
  if (quantity <= 0) {
    const code = "replaced_order_ended";
    await rejectOrder(trx, deps, { row: { ...row, hold }, name: "endReplacement", code });
    return;
  }
  const sums = chainSumsOf(replaced);
  const needed = Number(
    holdOfRest(row.side, termsOf(row), { sums, quantityMinor: quantity, price: row.limit_price ?? "0" }),
  );
  await trx
    .updateTable("orders")
    .set({
      ...{ quantity, hold: needed, is_waiting: false },
      ...(row.side === "buy" && { carried_notional: String(sums.notional), carried_fee: String(sums.fee) }),
    })
    .where(isOwn({ id, accountId }))
    .execute();
  await release(deps, row, hold - needed);
  await deps.work.queue.arm({ accountId, kind: reconcileOrderKind, subjectId: id, firesAt: trx.now });
  if (row.cancel_requested_at !== null) {
    await deps.work.queue.arm({ accountId, kind: cancelOrderKind, subjectId: id, firesAt: trx.now });
  }
  await deps.work.inbox.resume({ accountId, subjectId: id });
}
