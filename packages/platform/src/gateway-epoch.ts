import { setTimeout as delay } from "node:timers/promises";
import { isLockTimeout, transaction, type Executor } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * The Postgres that answers, and the line of its history that it goes on with: another after a dump was restored elsewhere, after a restore to
 * a point in time, and after a standby took over. In each of these what was committed may be gone, and numbers of transactions begin lower.
 */
export const thisServer = sql<string>`(
  select system_identifier || ' ' || timeline_id from pg_control_system(), pg_control_checkpoint()
)`;

/**
 * Seconds since 2026, and more than the one before: where two servers go on from one backup, or one goes back twice, each has epochs of its own.
 */
const nextEpoch = sql`greatest(epoch + 1, extract(epoch from gateway_now() - '2026-01-01 00:00:00Z')::integer)`;

/** What is followed in the order of its commits. Each has the columns account_id, epoch, tx and id (migrations 37 and 38). */
const followedTables = ["events", "request_logs"] as const;

/** As in the migrations: nobody waits longer behind it. */
const lockTimeoutMs = 500;
const attempts = 60;

/**
 * Begins a new epoch if the database is on another server, or in another history, than when the last one began. Then what is recorded comes after
 * all that was, whatever the number of its transaction. Says whether it did. Any number of processes may do so at once: one does.
 */
export async function raiseGatewayEpoch<Tables>(db: Kysely<Tables>): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    if (!(await isElsewhere(db))) {
      return false;
    }
    try {
      return await transaction(db, raiseEpoch);
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) {
        throw error;
      }
      await delay(lockTimeoutMs);
    }
  }
}

async function isElsewhere(db: Executor): Promise<boolean> {
  const { rows } = await sql`select from gateway_epoch where server <> ${thisServer}`.execute(db);
  return rows.length > 0;
}

/**
 * While nobody writes what is followed: of the epoch before there must be no more to come when the first row of the new one is seen. Who waits for
 * the lock plans anew when it has it, and takes the new epoch.
 */
async function raiseEpoch(trx: Executor): Promise<boolean> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(trx);
  await sql`lock table ${sql.join(followedTables.map((table) => sql.id(table)))} in share row exclusive mode`.execute(
    trx,
  );
  const { rows } = await sql<{ epoch: number }>`
    update gateway_epoch set epoch = ${nextEpoch}, server = ${thisServer}, raised_at = gateway_now()
    where server <> ${thisServer} returning epoch
  `.execute(trx);
  const [raised] = rows;
  if (!raised) {
    return false;
  }
  await sql`
    create or replace function gateway_epoch() returns integer language sql stable parallel safe return ${sql.lit(raised.epoch)}
  `.execute(trx);
  return true;
}
