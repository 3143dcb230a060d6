import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "@gateway/database";
import type { Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";

export type Healer = { enablings(): number; stop(): Promise<void> };

/** An owner who enables a failed webhook at once, so that what is held for it goes on. */
export function startHealer({ kysely }: PlatformDatabase, platform: Platform): Healer {
  let isStopping = false;
  let enablings = 0;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        const failed = await kysely
          .selectFrom("webhooks")
          .select(["id", "account_id"])
          .where("status", "=", "failed")
          .execute();
        for (const { id, account_id: accountId } of failed) {
          await platform.events.webhooks.enable({ id, accountId });
          enablings += 1;
        }
      } catch (error) {
        if (!isUnavailable(error)) {
          throw error;
        }
      }
      await delay(50);
    }
  };
  const running = run();
  // Its failure is seen where it is stopped.
  running.catch(() => {});
  return {
    enablings: () => enablings,
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}
