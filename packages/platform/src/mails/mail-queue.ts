import { sql, type Kysely } from "kysely";
import type { Schemas } from "@gateway/contract";
import type { MailsTables, UserMailKind, WebhookMailKind } from "./tables.ts";

/** A mail to write and send, held until its lease ends. */
export type ClaimedMail = WebhookMail | SealedUserMail;

type Claim = {
  id: string;
  /** Includes this claim, which it names together with the id. */
  attemptCount: number;
  to: string;
  createdAt: Date;
};

export type WebhookMail = Claim & {
  kind: WebhookMailKind;
} & FailingWebhook;

/** To a user, or to a person who is to become one. `openUserMail` opens its content. */
export type SealedUserMail = Claim & { kind: UserMailKind; content: Buffer };

/** The webhook that a mail reports on. */
export type FailingWebhook = {
  webhook: { id: string; url: string; description: string | null; isDeleted: boolean };
  /** How its deliveries fail; null when its attempts are deleted already. */
  failure: DeliveryFailure | null;
};

export type DeliveryFailure = {
  since: Date;
  /** The last one before the mail was queued. */
  outcome: Schemas["DeliveryOutcome"];
  httpStatus: number | null;
};

/** Mails wait in a table, written in the transaction of the change that they report. Sent at least once. */
export type MailQueue = ReturnType<typeof createMailQueue>;

export type MailMeasures = {
  /** Neither sent nor given up; at most 10,000, because the cost of counting grows with the count. */
  waitingCount: number;
  /** How long ago the oldest of them was written; 0 when there is none. */
  oldestMs: number;
};

export type MailQueueDeps = {
  findAccountEmail(accountId: string): Promise<string | null>;
  /** The webhook as it was when the mail was queued. Null when its row is gone. */
  describeWebhook(of: { accountId: string; webhookId: string; at: Date }): Promise<FailingWebhook | null>;
};

export function createMailQueue(db: Kysely<MailsTables>, deps: MailQueueDeps) {
  const reschedule = async (mail: Pick<ClaimedMail, "id" | "attemptCount">, dueAt: Date | null): Promise<void> => {
    await db
      .updateTable("mails")
      .set({ due_at: dueAt })
      .where("id", "=", mail.id)
      .where("attempt_count", "=", mail.attemptCount)
      .where("due_at", "is not", null)
      .execute();
  };
  return {
    /** Claims due mails for the time of a lease. */
    claim: async (input: { nowMs: number; limit: number; leaseMs: number }) => {
      const mails = await Promise.all((await claimMails(db, input)).map((row) => readMail(row, deps)));
      return mails.filter((mail) => mail !== null);
    },
    /** The mail was sent, or should not be sent any longer. */
    finish: (mail: Pick<ClaimedMail, "id" | "attemptCount">) => reschedule(mail, null),
    retryAt: (mail: Pick<ClaimedMail, "id" | "attemptCount">, dueMs: number) => reschedule(mail, new Date(dueMs)),
    measure: () => measure(db),
  };
}

async function measure(db: Kysely<MailsTables>): Promise<MailMeasures> {
  const { rows } = await sql<{ count: number; oldest_ms: number | null }>`
    select count(*) as count, extract(epoch from gateway_now() - min(created_at))::float8 * 1000 as oldest_ms
    from (select created_at from mails where due_at is not null order by due_at limit 10000) waiting
  `.execute(db);
  return { waitingCount: rows[0]?.count ?? 0, oldestMs: Math.max(0, rows[0]?.oldest_ms ?? 0) };
}

async function claimMails(
  db: Kysely<MailsTables>,
  { nowMs, limit, leaseMs }: { nowMs: number; limit: number; leaseMs: number },
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    with due as (
      select id from mails where due_at <= ${new Date(nowMs)} order by due_at limit ${limit} for update skip locked
    ),
    claimed as (
      update mails set attempt_count = attempt_count + 1, due_at = ${new Date(nowMs + leaseMs)}
      from due where mails.id = due.id
      returning mails.*
    )
    select * from claimed order by created_at, id
  `.execute(db);
  return rows;
}

/** The table's check `mails_shape` guarantees that each row has one of the two shapes. */
type MailRow = { id: string; attempt_count: number; created_at: Date } & (
  | { kind: WebhookMailKind; account_id: string; webhook_id: string; content: null }
  | { kind: UserMailKind; email: string; content: Buffer }
);

/** Null when the account or the webhook is deleted, and the mail with them. */
async function readMail(row: MailRow, deps: MailQueueDeps): Promise<ClaimedMail | null> {
  const claim = { id: row.id, attemptCount: row.attempt_count, createdAt: row.created_at };
  if (row.content !== null) {
    return { ...claim, to: row.email, kind: row.kind, content: row.content };
  }
  const to = await deps.findAccountEmail(row.account_id);
  const failing = await deps.describeWebhook({
    accountId: row.account_id,
    webhookId: row.webhook_id,
    at: row.created_at,
  });
  return to === null || failing === null ? null : { ...claim, to, kind: row.kind, ...failing };
}
