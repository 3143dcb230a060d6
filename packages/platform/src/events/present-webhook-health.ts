import type { Schemas } from "@gateway/contract";
import type { WebhookHealth } from "./webhook-health.ts";

export function presentWebhookHealth(health: WebhookHealth): Schemas["WebhookHealth"] {
  const { since, oldestHeldAt, nextAttemptAt, lastFailure, perHour, ...counts } = health;
  return {
    ...counts,
    since: since.toISOString(),
    oldestHeldAt: oldestHeldAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    lastFailure: lastFailure && { ...lastFailure, failedAt: lastFailure.failedAt.toISOString() },
    perHour: perHour.map(({ startsAt, ...hour }) => ({ startsAt: startsAt.toISOString(), ...hour })),
  };
}
