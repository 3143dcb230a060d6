import { nextDelayMs } from "@gateway/webhooks";
import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

/** One attempt that is still to come. */
export type PlannedAttempt = {
  /** As it will be counted within its delivery, from 1. */
  number: number;
  /**
   * It begins at this moment at the soonest, when all before it fail. In the past when it is due and waits for its
   * turn.
   */
  plannedAt: Date;
};

type PendingRow = { attempt_count: number; schedule_position: number; due_at: Date; credit_ms: number };

/** What is left of the schedule of one that waits, the next one first; of none that is finished. */
export async function planAttempts(
  db: Kysely<EventsTables>,
  { id, accountId }: { id: string; accountId: string },
): Promise<PlannedAttempt[]> {
  const { rows } = await sql<PendingRow>`
    select attempt_count, schedule_position, due_at, credit_ms from pending_deliveries
    where account_id = ${accountId} and id = ${id}
  `.execute(db);
  return rows[0] ? planOf(rows[0]) : [];
}

/**
 * Waits are as short as `recordOutcomes` makes them: without what spreads retries, and less what is left of the credit.
 */
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
