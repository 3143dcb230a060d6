import { nextDelayMs } from "@gateway/webhooks";
import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

export type PlannedAttempt = {
  number: number;
  /** At the soonest, when all before it fail; in the past when it is due and waits for its turn. */
  plannedAt: Date;
};

type PendingRow = { attempt_count: number; schedule_position: number; due_at: Date; credit_ms: number };

export async function planAttempts(db: Kysely<EventsTables>, { id, accountId }: Own): Promise<PlannedAttempt[]> {
  const { rows } = await sql<PendingRow>`
    select attempt_count, schedule_position, due_at, credit_ms from pending_deliveries
    where account_id = ${accountId} and id = ${id}
  `.execute(db);
  return rows[0] ? planOf(rows[0]) : [];
}

/** Waits are those of `recordOutcomes`, without what spreads retries and less what is left of the credit. */
export function planOf(row: PendingRow): PlannedAttempt[] {
  const plan: PlannedAttempt[] = [];
  let plannedMs = row.due_at.getTime();
  let creditMs = row.credit_ms;
  for (let position = row.schedule_position + 1; ; position += 1) {
    plan.push({ number: row.attempt_count + plan.length + 1, plannedAt: new Date(plannedMs) });
    const waitMs = nextDelayMs(position, { random: () => 0 });
    if (waitMs === null) {
      return plan;
    }
    plannedMs += Math.max(waitMs - creditMs, 0);
    creditMs = Math.max(creditMs - waitMs, 0);
  }
}
