import type { Cipher, Clock, Logger } from "@gateway/kernel";
import { openUserMail, type ClaimedMail, type MailQueue } from "@gateway/platform";
import type { DispatcherMetrics } from "../metrics.ts";
import { within } from "../within.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { MailSender } from "./mail-sender.ts";
import { writeMail, type MailText } from "./mail-text.ts";
import { isMailOver, writeUserMail } from "./user-mail-text.ts";

export type MailLoop = { wake(): void; stop(): Promise<void> };

export type MailLoopDeps = {
  mails: MailQueue;
  sender: MailSender;
  clock: Clock;
  /** Opens what mails to users say. */
  cipher: Pick<Cipher, "open">;
  logger: Logger;
  metrics: Pick<DispatcherMetrics, "mailDone">;
  /** Told where each mail went. */
  onMail(where: string): void;
  livemode: boolean;
};

const pollMs = 1_000;
const batchSize = 5;
/** A mail server that answers nothing must not hold up a stop; the mail goes again when its lease is over. */
const stopMs = 2_000;
/** Longer than a batch with a mail server that answers nothing takes. */
const leaseMs = 300_000;
const minuteMs = 60_000;
const backoffMs = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * minuteMs);
/** About three days. */
const maxAttempts = 24;

/** Sends the mails that wait, those that fail again later. Any number of processes may do so at once. Never ends by itself. */
export function startMailLoop(deps: MailLoopDeps): MailLoop {
  const signal = createWakeSignal();
  let isStopping = false;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      const count = await sendDue(deps, () => isStopping);
      if (count < batchSize && !isStopping) {
        await signal.wait(pollMs);
      }
    }
  };
  const running = run();
  return {
    wake: signal.wake,
    stop: async () => {
      isStopping = true;
      signal.wake();
      await within(stopMs, running);
      deps.sender.close();
    },
  };
}

/** How many there were; 0 as well when the database is away, which the dispatch loop logs. */
async function sendDue(deps: MailLoopDeps, isStopping: () => boolean): Promise<number> {
  try {
    const mails = await deps.mails.claim({ nowMs: deps.clock.now(), limit: batchSize, leaseMs });
    for (const mail of mails) {
      await (isStopping() ? deps.mails.retryAt(mail, deps.clock.now()) : sendOne(mail, deps));
    }
    return mails.length;
  } catch (error) {
    deps.logger.debug({ err: error }, "mails were not sent; they are tried again");
    return 0;
  }
}

async function sendOne(mail: ClaimedMail, deps: MailLoopDeps): Promise<void> {
  const { mails, sender, clock, logger, metrics, onMail } = deps;
  // Ids alone: what a mail to a user says holds links.
  const line = { mailId: mail.id, kind: mail.kind, ...("webhook" in mail && { webhookId: mail.webhook.id }) };
  if (isPointless(mail, clock)) {
    await mails.finish(mail);
    return;
  }
  try {
    const where = await sender.send({ id: mail.id, to: mail.to, ...write(mail, deps) });
    metrics.mailDone("sent");
    logger.info(line, `mail ${where}`);
    onMail(where);
  } catch (error) {
    metrics.mailDone("failed");
    // Of the error only what the mail server said about itself: its text may repeat what was sent.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    logger.warn({ ...line, code, attempt: mail.attemptCount }, "a mail was not sent; it is tried again");
    await retryOrGiveUp(mail, { mails, clock, logger });
    return;
  }
  await mails.finish(mail);
}

/** About a webhook that is gone, or with a link that has run out. */
function isPointless(mail: ClaimedMail, clock: Clock): boolean {
  return "webhook" in mail ? mail.webhook.isDeleted : isMailOver(mail, clock.now());
}

function write(mail: ClaimedMail, { cipher, livemode }: MailLoopDeps): MailText {
  return "webhook" in mail
    ? writeMail(mail, { livemode })
    : writeUserMail(openUserMail(cipher, mail), { livemode, createdAt: mail.createdAt });
}

async function retryOrGiveUp(
  mail: ClaimedMail,
  { mails, clock, logger }: Pick<MailLoopDeps, "mails" | "clock" | "logger">,
): Promise<void> {
  if (mail.attemptCount >= maxAttempts) {
    logger.error({ mailId: mail.id, kind: mail.kind }, "a mail was given up");
    await mails.finish(mail);
    return;
  }
  const waitMs = backoffMs[Math.min(mail.attemptCount, backoffMs.length) - 1] ?? minuteMs;
  await mails.retryAt(mail, clock.now() + waitMs);
}
