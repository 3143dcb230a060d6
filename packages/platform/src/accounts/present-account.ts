import type { Schemas } from "@gateway/contract";
import type { Account } from "./account.ts";
import { requestsPerMinuteOf } from "./tier.ts";

export function presentAccount(account: Account, { livemode }: { livemode: boolean }): Schemas["Account"] {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    tier: account.tier,
    rateLimit: { requestsPerMinute: requestsPerMinuteOf(account) },
    livemode,
    createdAt: account.createdAt.toISOString(),
  };
}
