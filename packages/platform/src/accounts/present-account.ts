import type { Schemas } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import { livingEmail } from "./account-email.ts";
import type { Account } from "./account.ts";
import { requestsPerMinuteOf } from "./tier.ts";

export function presentAccount(
  account: Account,
  { livemode, clock }: { livemode: boolean; clock: Clock },
): Schemas["Account"] {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    pendingEmail: livingEmail(account.pendingEmail, clock.now()),
    tier: account.tier,
    rateLimit: { requestsPerMinute: requestsPerMinuteOf(account) },
    livemode,
    createdAt: account.createdAt.toISOString(),
  };
}
