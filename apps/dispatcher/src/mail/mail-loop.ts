import type { Cipher, Clock, Logger } from "@gateway/kernel";
import { openUserMail, type ClaimedMail, type MailQueue } from "@gateway/platform/mails";
import { startClaimLoop } from "@gateway/process";
import type { DispatcherMetrics } from "../metrics.ts";
import type { MailSender } from "./mail-sender.ts";
import { writeMail, type MailText } from "./mail-text.ts";
import { isMailOver, writeUserMail } from "./user-mail-text.ts";

export type MailLoop = {
  /** A mail was written. */
  wake(): void;
  stop(): Promise<void>;
};

export type MailLoopDeps = {
  mails: MailQueue;
  sender: MailSender;
  clock: Clock;
  /** Opens the sealed text of mails to users. */
  cipher: Pick<Cipher, "open">;
  logger: Logger;
  metrics: Pick<DispatcherMetrics, "mailDone">;
  /** Called with the place where each mail went. */
  onMail(where: string): void;
  livemode: boolean;
};

/** A mail server that does not respond must not hold up a stop. The mail is sent again when its lease ends. */
const stopMs = 2_000;
/** Longer than the few mails of one claim take with a mail server that does not respond. */
const leaseMs = 300_000;
const minuteMs = 60_000;
const backoffMs = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * minuteMs);
/** About three days. */
const maxAttempts = 24;

/** Sends mails one after the other, and tries failed ones again later. Any number of processes may do so at once. */
export function startMailLoop(deps: MailLoopDeps): MailLoop {
  const { mails, sender, clock, logger } = deps;
  const loop = startClaimLoop<ClaimedMail>({
    name: "mails",
    slots: 1,
    accountOf: ({ to }) => to,
    claim: ({ nowMs, slots }) => mails.claim({ nowMs, limit: slots, leaseMs }),
    work: (mail) => sendOne(mail, deps),
    release: async (unbegun, nowMs) => {
      await Promise.all(unbegun.map((mail) => mails.retryAt(mail, nowMs)));
    },
    findNextDueMs: async () => null,
    clock,
    logger,
  });
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop(stopMs);
      sender.close();
    },
  };
}

async function sendOne(mail: ClaimedMail, deps: MailLoopDeps): Promise<void> {
  const { mails, sender, clock, logger, metrics, onMail } = deps;
  // Ids alone, because the text of a mail to a user holds links.
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
    // Only the error's code, because its text may repeat the mail.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    logger.warn({ ...line, code, attempt: mail.attemptCount }, "a mail was not sent; it is tried again");
    await retryOrGiveUp(mail, { mails, clock, logger });
    return;
  }
  await mails.finish(mail);
}

/** Whether the mail is about a deleted webhook, or has an expired link. */
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
