import { startOfIds, type Clock } from "@gateway/kernel";
import type { DatedTables } from "@gateway/engine/dated-tables";

/** Events are kept for 30 days, with their deliveries and attempts. Their rows are dropped later, a week at a time. */
export const eventLifetimeMs = 30 * 24 * 60 * 60 * 1000;

const weekMs = 7 * 24 * 60 * 60 * 1000;

export const datedEvents: DatedTables = {
  spanMs: weekMs,
  tables: [
    { table: "events", prefix: "evt" },
    { table: "deliveries", prefix: "dlv" },
    { table: "delivery_attempts", prefix: "dlv" },
  ],
};

/** The first id that is still shown. */
export function oldestKept(prefix: "evt" | "dlv", clock: Clock): string {
  return startOfIds(prefix, clock.now() - eventLifetimeMs);
}
