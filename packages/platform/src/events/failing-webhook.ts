import { sql, type Kysely } from "kysely";
import type { FailingWebhook } from "../mails/index.ts";
import type { AttemptOutcome } from "./record-outcomes.ts";
import type { EventsTables } from "./tables.ts";

/** The receiver is judged by its newest deliveries, so a long history costs nothing. */
const judgedDeliveries = 200;

type FailureRow = {
  url: string;
  description: string | null;
  deleted_at: Date | null;
  since: Date | null;
  outcome: AttemptOutcome | null;
  http_status: number | null;
};

/** The webhook, and how the attempts failed that ended before `at`. Null when its row is gone. */
export async function describeFailingWebhook(
  db: Kysely<EventsTables>,
  { accountId, webhookId, at }: { accountId: string; webhookId: string; at: Date },
): Promise<FailingWebhook | null> {
  const { rows } = await sql<FailureRow>`
    select webhooks.url, webhooks.description, webhooks.deleted_at, failure.since, failure.outcome, failure.http_status
    from webhooks
    left join lateral (
      select min(attempts.started_at) as since,
        (array_agg(attempts.outcome order by attempts.started_at desc))[1] as outcome,
        (array_agg(attempts.http_status order by attempts.started_at desc))[1] as http_status
      from (
        (select id from pending_deliveries where webhook_id = webhooks.id order by id desc limit ${judgedDeliveries})
        union all
        (select id from deliveries where webhook_id = webhooks.id order by id desc limit ${judgedDeliveries})
        order by id desc limit ${judgedDeliveries}
      ) newest
      cross join lateral (
        select started_at, outcome, http_status from delivery_attempts where delivery_id = newest.id
        union all
        select started_at, outcome, http_status from deliveries
        where account_id = webhooks.account_id and id = newest.id and outcome is not null
      ) attempts
      where attempts.outcome <> 'delivered' and attempts.started_at <= ${at}
    ) failure on true
    where webhooks.account_id = ${accountId} and webhooks.id = ${webhookId}
  `.execute(db);
  return rows[0] ? failingWebhookOf(webhookId, rows[0]) : null;
}

function failingWebhookOf(id: string, row: FailureRow): FailingWebhook {
  return {
    webhook: { id, url: row.url, description: row.description, isDeleted: row.deleted_at !== null },
    failure: row.since && row.outcome ? { since: row.since, outcome: row.outcome, httpStatus: row.http_status } : null,
  };
}
