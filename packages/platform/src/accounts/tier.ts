import type { Schemas } from "@gateway/contract";
import { keysOf } from "@gateway/kernel";

export type Tier = Schemas["Tier"];

/** Requests per minute of each tier; an Enterprise account may have a number of its own, never a lower one. */
export const tierLimits = {
  explorer: 10,
  starter: 30,
  growth: 60,
  enterprise: 300,
} as const satisfies Record<Tier, number>;

export const tiers: readonly Tier[] = keysOf(tierLimits);

export function requestsPerMinuteOf(account: { tier: Tier; requestsPerMinute: number | null }): number {
  return account.requestsPerMinute ?? tierLimits[account.tier];
}
