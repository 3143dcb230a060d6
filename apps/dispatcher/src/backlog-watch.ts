import type { Logger } from "@gateway/kernel";
import type { DeliveryQueue } from "@gateway/platform/events";
import type { MailQueue } from "@gateway/platform/mails";
import { startMaintenance } from "@gateway/process";

/** Webhooks and mails that wait, at most a minute old. NaN: the database did not respond. */
type Backlog = {
  /** Webhooks that are failed and hold deliveries until their owners enable them. */
  failedWebhookCount: number;
  waitingMailCount: number;
  oldestMailMs: number;
};

export type BacklogWatch = {
  backlog(): Backlog;
  stop(): Promise<void>;
};

export type BacklogWatchDeps = {
  queue: Pick<DeliveryQueue, "countFailedHolding">;
  mails: Pick<MailQueue, "measure">;
  logger: Logger;
  everyMs?: number;
};

const unknown: Backlog = { failedWebhookCount: Number.NaN, waitingMailCount: Number.NaN, oldestMailMs: Number.NaN };

/** A mail that is tried again may be late by a few minutes. */
const lateMailMs = 5 * 60_000;

/** Counts once a minute, so that no scrape walks over abandoned webhooks. */
export async function startBacklogWatch({
  queue,
  mails,
  logger,
  everyMs = 60_000,
}: BacklogWatchDeps): Promise<BacklogWatch> {
  let backlog = unknown;
  const tellWebhooks = createNews({
    more: (webhooks) => logger.warn({ webhooks }, "webhooks are failed and hold deliveries"),
    over: () => logger.warn("failed webhooks no longer hold deliveries"),
  });
  const tellMails = createNews({
    more: (mails) => logger.warn({ mails, oldestMs: backlog.oldestMailMs }, "mails wait for over five minutes"),
    over: () => logger.warn("mails no longer wait for over five minutes"),
  });
  const look = async (): Promise<void> => {
    backlog = await measure({ queue, mails }).catch(() => unknown);
    tellWebhooks(backlog.failedWebhookCount);
    tellMails(backlog.oldestMailMs < lateMailMs ? 0 : backlog.waitingMailCount);
  };
  await look();
  const maintenance = startMaintenance({ tidy: look, logger, intervalMs: everyMs });
  return { backlog: () => backlog, stop: () => maintenance.stop() };
}

async function measure({ queue, mails }: Pick<BacklogWatchDeps, "queue" | "mails">): Promise<Backlog> {
  const failedWebhookCount = await queue.countFailedHolding();
  const { waitingCount, oldestMs } = await mails.measure();
  return { failedWebhookCount, waitingMailCount: waitingCount, oldestMailMs: oldestMs };
}

/** Reports a count when it is at least twice the last reported one, and when it is zero again. */
function createNews({ more, over }: { more(count: number): void; over(): void }): (count: number) => void {
  let toldCount = 0;
  return (count) => {
    if (count > 0 && count >= 2 * toldCount) {
      toldCount = count;
      more(count);
    } else if (count === 0 && toldCount > 0) {
      toldCount = 0;
      over();
    }
  };
}
