import type { Transaction } from "@gateway/database";
import { sql, type Kysely, type Selectable } from "kysely";
import type { VenueOrder } from "@gateway/ports";
import { openStatuses, venueOrderOf, type OrderDeps } from "./order.ts";
import { endsByPrice, planOrdersAnewKind, venueFactIds } from "./order-kinds.ts";
import type { ExecutionTables, OrdersTable } from "./tables.ts";

export type ChangedPrices = { accountId: string; symbol: string; sinceMs: number };

/** Withdraws plans by the previous prices; a work item plans again. Only in the sandbox. */
export async function planOrdersAnew(
  trx: Transaction<ExecutionTables>,
  { work, createId }: Pick<OrderDeps, "work" | "createId">,
  { accountId, symbol, sinceMs }: ChangedPrices,
): Promise<void> {
  const resting = await findResting(trx, { accountId, symbol });
  if (resting.length === 0) {
    return;
  }
  const firesAt = new Date(sinceMs);
  const factIds = resting.map(({ id }) => venueFactIds.end(id));
  await work.plannedFacts.withdraw({ accountId, from: firesAt, port: "venue", factIds, types: endsByPrice });
  // Each change has an item of its own, because one in flight may have read the previous prices.
  const subjectId = `${symbol} ${createId("wki")}`;
  await work.queue.arm({ accountId, kind: planOrdersAnewKind, subjectId, firesAt });
}

export async function listResting(
  db: Kysely<ExecutionTables>,
  own: { accountId: string; symbol: string },
): Promise<VenueOrder[]> {
  return (await findResting(db, own)).map(venueOrderOf);
}

async function findResting(
  db: Kysely<ExecutionTables>,
  { accountId, symbol }: { accountId: string; symbol: string },
): Promise<Selectable<OrdersTable>[]> {
  const { rows } = await sql<Selectable<OrdersTable>>`
    select * from orders
    where account_id || '' = ${accountId} and status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})
      and symbol = ${symbol} and type = 'limit' and not is_waiting
      and submitted_at is not null and cancel_requested_at is null
  `.execute(db);
  return rows;
}

export function symbolOf(subjectId: string): string {
  return subjectId.split(" ")[0] ?? "";
}
