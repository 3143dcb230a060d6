import { isLockTimeout } from "@gateway/database";
import { invalidField, Problem } from "@gateway/contract";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { NounDeps } from "../audit/index.ts";
import { eventLifetimeMs } from "./event-partitions.ts";
import { idAtTimeOf, idOfRank } from "./id-series.ts";
import { requeue } from "./requeue.ts";
import { wakeDispatchers } from "@gateway/engine/wake-dispatchers";
import type { EventsTables } from "./tables.ts";

/** Number of events that one statement looks at: fewer than an id series has. */
const batchSize = 2_000;

/** Number of events that one call looks at: half a second of Postgres, so that no transaction grows with the period. */
export const mostReplayed = 50_000;

/** The clocks of machines differ a little, and the time in an id may differ from the time of its event. */
const idLeadMs = 60_000;

/** The outcome of an event at the webhook; `missing`: it did not exist or did not request the type then. */
export type ReplayStatus = "delivered" | "failed" | "missing";

export type ReplayInput = {
  webhookId: string;
  accountId: string;
  types: readonly string[];
  since: Date;
  /** Excludes this moment itself. Null: all since. */
  until: Date | null;
  statuses: readonly ReplayStatus[];
  isDryRun: boolean;
  after: string | null;
};

export type ReplayPart = { count: number; last: string | null };

/** See `Deliveries.replay`. Replays of one webhook run one after another; a dry run does not wait. */
export async function replayEvents(
  db: AccountTransaction<EventsTables>,
  deps: NounDeps,
  input: ReplayInput,
): Promise<ReplayPart> {
  let after = input.after ?? findStart(db, deps, input);
  if (!input.isDryRun) {
    await lockReplays(db, input.webhookId);
  }
  let count = 0;
  let last: string | null = null;
  for (let seen = 0; seen < mostReplayed; seen += batchSize) {
    const batch = await (input.isDryRun ? countBatch : replayBatch)(db, {
      ...input,
      after,
      seen,
      freshId: deps.createId("dlv"),
    });
    count += batch.count;
    last = batch.isFull ? batch.last : null;
    if (last === null) {
      break;
    }
    after = last;
  }
  if (!input.isDryRun) {
    await wakeDispatchers(db, input.webhookId);
  }
  return { count, last };
}

/** Refuses impossible times. */
function findStart(
  { now }: AccountTransaction<EventsTables>,
  { clock }: NounDeps,
  { since, until }: ReplayInput,
): string {
  const nowMs = now.getTime();
  const realNowMs = clock.now();
  const sinceMs = since.getTime();
  if (!(sinceMs <= nowMs && sinceMs >= realNowMs - eventLifetimeMs)) {
    throw invalidField("since", "must lie in the past 30 days");
  }
  if (until !== null && until <= since) {
    throw invalidField("until", "must lie after since");
  }
  // Ids begin with the real time of their event, and no event was further ahead of it than the account is now. Older
  // ids are therefore not read.
  return startOfIds("evt", sinceMs - (nowMs - realNowMs) - idLeadMs);
}

async function lockReplays(db: Kysely<EventsTables>, webhookId: string): Promise<void> {
  try {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`replay ${webhookId}`}, 0))`.execute(db);
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new Problem("UNAVAILABLE", "Another replay of this webhook is still running. Try again in a moment.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    }
    throw error;
  }
}

type Batch = Omit<ReplayInput, "after"> & { after: string; seen: number; freshId: string };

/** `isFull`: there may be more after `last`. */
type BatchResult = { count: number; last: string | null; isFull: boolean };

// Written so that no index serves it, because an event has few deliveries and a webhook may have a million. A planner
// with old statistics would walk through those for each event.
function isOf(webhookId: string): RawBuilder<boolean> {
  return sql<boolean>`webhook_id || '' = ${webhookId}`;
}

/**
 * Parts of a `with`. `seen`: a bounded number of events after one id. `wanted`: the matching ones, oldest first from
 * rank 0. `known`: those of them with a finished delivery in one of the states. `missing`: those of them without any
 * delivery.
 */
function chosenEvents({ webhookId, accountId, types, since, until, statuses, after }: Batch): RawBuilder<unknown> {
  return sql`
    seen as materialized (
      select id, type, created_at, is_test from events
      where account_id = ${accountId} and id > ${after} order by id limit ${batchSize}
    ), wanted as materialized (
      select id, row_number() over (order by id) - 1 as rank from seen
      where created_at >= ${since} and created_at < ${until ?? "infinity"}::timestamptz
        and type = any (${types}::text[]) and not is_test
    ), finished_before as materialized (
      select wanted.id as event_id, wanted.rank, finished.account_id, finished.id, finished.status
      from wanted cross join lateral (
        select account_id, id, status from deliveries
        where event_id = wanted.id and ${isOf(webhookId)}
      ) finished
    ), known as materialized (
      select * from finished_before where status = any (${statuses}::text[])
    ), missing as materialized (
      select id, rank from wanted
      where 'missing' = any (${statuses}::text[])
        and id not in (select event_id from finished_before)
        and not exists (select from pending_deliveries where event_id = wanted.id and ${isOf(webhookId)})
    )`;
}

const resultOfBatch = sql`(select max(id) from seen) as last, (select count(*) from seen) = ${sql.lit(batchSize)} as "isFull"`;

async function countBatch(db: Kysely<EventsTables>, batch: Batch): Promise<BatchResult> {
  return resultOf(
    sql<BatchResult>`
      with ${chosenEvents(batch)}
      select (select count(*) from known) + (select count(*) from missing) as count, ${resultOfBatch}
    `.execute(db),
  );
}

/**
 * Each is due a microsecond after the one before, because the queue is in the order of `due_at` and the oldest is sent
 * first.
 */
async function replayBatch(db: Kysely<EventsTables>, batch: Batch): Promise<BatchResult> {
  const { webhookId, accountId, seen, freshId } = batch;
  const dueAt = sql`gateway_now() - interval '1 second' + (${seen}::integer + rank) * interval '1 microsecond'`;
  return resultOf(
    sql<BatchResult>`
      with ${chosenEvents(batch)}
      ${requeue(sql`select account_id, id, ${dueAt} as due_at from known`)},
      inserted as (
        insert into pending_deliveries
          (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
        select ${accountId}, ${idAtTimeOf(sql`id`, idOfRank(freshId, sql`rank`))}, ${webhookId}, id, 0, 0, ${dueAt}, gateway_now()
        from missing
        returning id
      )
      select (select count(*) from requeued) + (select count(*) from inserted) as count, ${resultOfBatch}
    `.execute(db),
  );
}

async function resultOf(answer: Promise<{ rows: BatchResult[] }>): Promise<BatchResult> {
  const { rows } = await answer;
  const [batch] = rows;
  if (!batch) {
    throw new Error("A replay answered no row.");
  }
  return batch;
}
