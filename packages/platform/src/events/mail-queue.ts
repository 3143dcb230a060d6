import type { Schema, UserMailKind } from "@gateway/database";
import { sql, type Kysely } from "kysely";
import type { AttemptOutcome } from "./record-outcomes.ts";

export type WebhookMailKind = "webhook_warning" | "webhook_failed";

/** A mail to write and send, held until its lease ends. */
export type ClaimedMail = WebhookMail | SealedUserMail;

type Claim = {
  id: string;
  /** Counts this one; with the id it names the claim. */
  attemptCount: number;
  to: string;
  createdAt: Date;
};

/** To an account's address. */
export type WebhookMail = Claim & {
  kind: WebhookMailKind;
  webhook: { id: string; url: string; description: string | null; isDeleted: boolean };
  /** What the webhook's receiver does; null when its attempts are deleted already. */
  failure: DeliveryFailure | null;
};

/** To a user or to who is to become one. `openUserMail` opens its content. */
export type SealedUserMail = Claim & { kind: UserMailKind; content: Buffer };

export type DeliveryFailure = {
  /** Of the failed attempts that are looked at, the first. */
  since: Date;
  /** The last one before the mail was queued. */
  outcome: AttemptOutcome;
  httpStatus: number | null;
};

/** Mails wait in a table, written in the transaction of what they tell. Sent at least once. */
export interface MailQueue {
  /** Mails that are due, for the time of a lease. */
  claim(input: { nowMs: number; limit: number; leaseMs: number }): Promise<ClaimedMail[]>;
  /** Sent, or not worth sending any more. */
  finish(mail: Pick<ClaimedMail, "id" | "attemptCount">): Promise<void>;
  retryAt(mail: Pick<ClaimedMail, "id" | "attemptCount">, dueMs: number): Promise<void>;
}

export function createMailQueue(db: Kysely<Schema>): MailQueue {
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
    claim: (input) => claimMails(db, input),
    finish: (mail) => reschedule(mail, null),
    retryAt: (mail, dueMs) => reschedule(mail, new Date(dueMs)),
  };
}

/** The receiver is judged by the webhook's newest deliveries at the time of the mail, so a long history costs nothing. */
const judgedDeliveries = 200;

async function claimMails(
  db: Kysely<Schema>,
  { nowMs, limit, leaseMs }: { nowMs: number; limit: number; leaseMs: number },
): Promise<ClaimedMail[]> {
  const { rows } = await sql<MailRow>`
    with due as (
      select id from mails where due_at <= ${new Date(nowMs)} order by due_at limit ${limit} for update skip locked
    ),
    claimed as (
      update mails set attempt_count = attempt_count + 1, due_at = ${new Date(nowMs + leaseMs)}
      from due where mails.id = due.id
      returning mails.*
    )
    select claimed.id, claimed.attempt_count, claimed.kind, claimed.created_at, claimed.content,
      coalesce(claimed.email, accounts.email) as email, webhooks.id as webhook_id,
      webhooks.url, webhooks.description, webhooks.deleted_at, failure.since, failure.outcome, failure.http_status
    from claimed
    left join accounts on accounts.id = claimed.account_id
    left join webhooks on webhooks.id = claimed.webhook_id
    left join lateral (
      select min(attempts.started_at) as since,
        (array_agg(attempts.outcome order by attempts.started_at desc))[1] as outcome,
        (array_agg(attempts.http_status order by attempts.started_at desc))[1] as http_status
      from (
        select id from deliveries where webhook_id = claimed.webhook_id order by id desc limit ${judgedDeliveries}
      ) newest
      join delivery_attempts attempts on attempts.delivery_id = newest.id
      where attempts.outcome <> 'delivered' and attempts.started_at <= claimed.created_at
    ) failure on true
    order by claimed.created_at, claimed.id
  `.execute(db);
  return rows.map(mailOf);
}

type ClaimRow = { id: string; attempt_count: number; created_at: Date; email: string };

/** The table's check `mails_shape` keeps the two apart. */
type MailRow = ClaimRow & (WebhookMailRow | { kind: UserMailKind; content: Buffer });

type WebhookMailRow = {
  kind: WebhookMailKind;
  content: null;
  webhook_id: string;
  url: string;
  description: string | null;
  deleted_at: Date | null;
  since: Date | null;
  outcome: AttemptOutcome | null;
  http_status: number | null;
};

function mailOf(row: MailRow): ClaimedMail {
  const claim = { id: row.id, attemptCount: row.attempt_count, to: row.email, createdAt: row.created_at };
  if (row.content !== null) {
    return { ...claim, kind: row.kind, content: row.content };
  }
  return {
    ...claim,
    kind: row.kind,
    webhook: { id: row.webhook_id, url: row.url, description: row.description, isDeleted: row.deleted_at !== null },
    failure: row.since && row.outcome ? { since: row.since, outcome: row.outcome, httpStatus: row.http_status } : null,
  };
}
