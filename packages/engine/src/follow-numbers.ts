import { transaction, type Executor } from "@gateway/database";
import { startOfIds } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { marginMs } from "./follow-place.ts";

/** The rows of an account in a table that is followed. */
export type FollowedRows = { accountId: string; table: "events" | "request_logs" };

export type FollowNumbersTable = {
  account_id: string;
  list: string;
  /** Greater on another server and after a restart: see `giveNumbers`. */
  epoch: number;
  /** The epoch of the first number. A place with an earlier epoch belongs to another history. */
  since_epoch: number;
  /** The last number that was given, in decimal. */
  number: string;
  server: string;
};

/** The last number that was given to a row of an account, in its epoch. */
export type LastNumber = { epoch: number; since_epoch: number; number: string };

/**
 * Differs in a restored dump, after a restore of files and after a failover, because given numbers may be lost there.
 */
const thisServer = sql`(select system_identifier || ' ' || extract(epoch from pg_postmaster_start_time()) from pg_control_system())`;

/** Seconds since 2026. Servers that continue from one backup, or one that returns to it twice, get different epochs. */
const secondsNow = sql`extract(epoch from gateway_now() - '2026-01-01 00:00:00Z')::integer`;

const batchSize = 500;

/** The account, for an index that begins as no other does (ADR 31). */
export const posix = sql`account_id collate "POSIX"`;

/** Wraps a value in a query of its own, so that no plan depends on it. */
export function hide(value: string | number, type = "text"): RawBuilder<unknown> {
  return sql`(select ${value}::text::${sql.raw(type)})`;
}

/**
 * Gives the next numbers to rows of an account that have none yet, one batch at most. Ids are chosen before their rows
 * become visible. Numbers are given to visible rows, under a lock of the account (ADR 62). A new epoch begins after a
 * start of Postgres. Within an epoch a given number stays, because the commit waits for this server's disk.
 */
export async function giveNumbers<Tables>(
  db: Kysely<Tables>,
  { accountId, table, fromId }: FollowedRows & { fromId: string },
): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`select set_config('synchronous_commit', 'local', true)`.execute(trx);
    const last = await lockNumbers(trx, { accountId, table });
    const ids = await findUnnumbered(trx, { accountId, table, fromId });
    if (ids.length > 0) {
      await sql`
        with numbered as (
          update ${sql.table(table)} set follow_epoch = ${last.epoch}, follow_number = ${last.number}::bigint + array_position(${ids}::text[], id)
          where account_id = ${accountId} and id = any (${ids}::text[]) and id >= ${ids[0]} and id <= ${ids.at(-1)}
        )
        update follow_numbers set number = number + ${ids.length}::integer where account_id = ${accountId} and list = ${table}
      `.execute(trx);
    }
  });
}

async function lockNumbers(trx: Executor, { accountId, table }: FollowedRows): Promise<LastNumber> {
  const { rows } = await sql<LastNumber>`
    insert into follow_numbers as known (account_id, list, epoch, since_epoch, number, server)
    values (${accountId}, ${table}, ${secondsNow}, ${secondsNow}, 0, ${thisServer})
    on conflict (account_id, list) do update set
      epoch = case when known.server = excluded.server then known.epoch else greatest(known.epoch + 1, excluded.epoch) end,
      server = excluded.server
    returning epoch, since_epoch, number
  `.execute(trx);
  const [last] = rows;
  if (!last) {
    throw new Error(`The numbers of ${table} of ${accountId} could not be locked.`);
  }
  return last;
}

/** Ids in the order of the index, which for rows without a number is the order of ids. */
async function findUnnumbered(
  trx: Executor,
  { accountId, table, fromId }: FollowedRows & { fromId: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where ${posix} = ${hide(accountId)} and follow_epoch is null and follow_number is null and id > ${hide(fromId)}
    order by ${posix}, follow_epoch, follow_number, id limit ${sql.lit(batchSize)}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** The id up to which no commit can follow: ten minutes before the oldest transaction in flight, or before now. */
export async function readSettled(db: Executor, { prefix, heldBackBy = sql`null` }: Settling): Promise<string> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from least(
      gateway_now(),
      (select min(xact_start) from pg_stat_activity where datname = current_database() and backend_xid is not null),
      (${heldBackBy})::timestamptz
    )) * 1000)::float8 as ms
  `.execute(db);
  return startOfIds(prefix, Math.floor(rows[0]?.ms ?? 0) - marginMs);
}

export type Settling = {
  /** Prefix of the ids. */
  prefix: string;
  /** Selects a time since which rows may still be unwritten, when rows are written later than their ids are made. */
  heldBackBy?: RawBuilder<unknown>;
};

/** The last number before those of the rows behind a settled id. Few rows are behind it. */
export async function readNumberBefore(
  db: Executor,
  { accountId, table, fromId }: FollowedRows & { fromId: string },
): Promise<{ epoch: number; number: string }> {
  const { rows } = await sql<{ epoch: number; number: string }>`
    with behind as materialized (
      select follow_epoch, follow_number from ${sql.table(table)}
      where account_id = ${accountId} and id > ${hide(fromId)}
    )
    select epoch, number from (
      select follow_epoch as epoch, follow_number - 1 as number from behind where follow_number is not null
      union all
      select epoch, number from follow_numbers where account_id = ${accountId} and list = ${table}
    ) given order by epoch, number limit 1
  `.execute(db);
  return rows[0] ?? { epoch: 0, number: "0" };
}
