import { isLockTimeout } from "@gateway/database";
import { invalidField, Problem } from "@gateway/contract";
import { startOfIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { AccountTime } from "../account-time.ts";
import { eventLifetimeMs } from "./event-partitions.ts";
import { idAtTimeOf, idOfRank } from "./id-series.ts";
import { requeue } from "./requeue.ts";
import { wakeDispatchers } from "../wake-dispatchers.ts";
import type { EventsTables } from "./tables.ts";
import type { CreateId } from "../id.ts";

/** Events that one statement looks at: far below the statement timeout, and less than an id series. */
const batchSize = 2_000;

/** An id is made before the time of its event is taken, in a transaction that may wait. */
const idLeadMs = 60_000;

export type ReplayInput = { webhookId: string; accountId: string; types: readonly string[]; since: Date };

export type ReplayDeps = { clock: Clock; accountTime: AccountTime; createId: CreateId };

/** See `Deliveries.replay`. Replays of one webhook run one after another. */
export async function replayEvents(db: Kysely<EventsTables>, deps: ReplayDeps, input: ReplayInput): Promise<number> {
  const nowMs = await deps.accountTime(db, input.accountId);
  const realNowMs = deps.clock.now();
  const sinceMs = input.since.getTime();
  if (!(sinceMs <= nowMs && sinceMs >= realNowMs - eventLifetimeMs)) {
    throw invalidField("since", "must lie in the past 30 days");
  }
  await lockReplays(db, input.webhookId);
  let queued = 0;
  // Ids begin with the real time of their event, and no event was further ahead of it than the account is now: what is older is not looked at.
  let after = startOfIds("evt", sinceMs - (nowMs - realNowMs) - idLeadMs);
  for (let seen = 0; ; seen += batchSize) {
    const batch = await replayBatch(db, { ...input, after, seen, freshId: deps.createId("dlv") });
    queued += batch.queued;
    if (batch.last === null) {
      break;
    }
    after = batch.last;
  }
  await wakeDispatchers(db, input.webhookId);
  return queued;
}

async function lockReplays(db: Kysely<EventsTables>, webhookId: string): Promise<void> {
  try {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`replay ${webhookId}`}, 0))`.execute(db);
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new Problem("UNAVAILABLE", "Another replay of this webhook still runs. Try again in a moment.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    }
    throw error;
  }
}

type Batch = ReplayInput & { after: string; seen: number; freshId: string };

/**
 * The events of the account after one id, a bounded number of them, so that no statement runs into its timeout. Each is due a
 * microsecond after the one before, beginning a second ago: the queue goes by `due_at`, so the oldest is sent first, and
 * all are due now. A delivery has the time of its event in its id: they stand in the same week, and go together.
 */
async function replayBatch(
  db: Kysely<EventsTables>,
  { webhookId, accountId, types, since, after, seen, freshId }: Batch,
): Promise<{ queued: number; last: string | null }> {
  const dueAt = sql`gateway_now() - interval '1 second' + (${seen}::integer + rank) * interval '1 microsecond'`;
  // Not a condition that an index serves: an event has few deliveries, a webhook may have a million, and a planner whose
  // statistics are old would walk through those for each event.
  const isOfWebhook = sql`webhook_id || '' = ${webhookId}`;
  const { rows } = await sql<{ queued: number; last: string | null }>`
    with seen as materialized (
      select id, type, created_at, is_test from events
      where account_id = ${accountId} and id > ${after} order by id limit ${batchSize}
    ), wanted as materialized (
      select id, row_number() over (order by id) - 1 as rank from seen
      where created_at >= ${since} and type = any (${types}::text[]) and not is_test
    ), known as materialized (
      select wanted.id as event_id, wanted.rank, finished.account_id, finished.id
      from wanted cross join lateral (
        select account_id, id from deliveries where event_id = wanted.id and ${isOfWebhook} and status <> 'pending'
      ) finished
    )
    ${requeue(sql`select account_id, id, ${dueAt} as due_at from known`)},
    inserted as (
      insert into pending_deliveries
        (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select ${accountId}, ${idAtTimeOf(sql`id`, idOfRank(freshId, sql`rank`))}, ${webhookId}, id, 0, 0, ${dueAt}, gateway_now()
      from wanted
      where id not in (select event_id from known)
        and not exists (select from pending_deliveries where event_id = wanted.id and ${isOfWebhook})
      returning id
    )
    select (select count(*) from requeued) + (select count(*) from inserted) as queued, (select max(id) from seen) as last
  `.execute(db);
  const [batch] = rows;
  if (!batch) {
    throw new Error("A replay answered no row.");
  }
  return batch;
}
