import {
  buildIndexes,
  findMissingIndexes,
  listPartitions,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { untilLocked } from "./until-locked.ts";

const tables = ["events", "request_logs"] as const;

/**
 * Rows without a number come last, in the order of their ids. Its first column has the collation "POSIX": no other
 * index begins so (ADR 31).
 */
const columns = `(account_id collate "POSIX", follow_epoch, follow_number, id)`;

/**
 * What is followed has numbers that are given when somebody follows, instead of the transactions that wrote it (ADR
 * 62). The columns of these stay, for programs of the release before; their index goes, and those programs find the
 * same rows more slowly.
 *
 * A new column without a default rewrites no row. Partitions are indexed while others write, and the table only adopts
 * what they have.
 */
export const followNumbers: PreparedMigration & LockingMigration = {
  indexes: [],
  locks: tables,
  async prepare(db) {
    for (const table of tables) {
      const partitions = await listPartitions(db, table);
      if (partitions.length > 0) {
        await untilLocked(db, (trx) => addColumns(trx, table));
        const indexes = partitions.map(({ name }) => ({ name: `${name}_followed`, on: `${name} ${columns}` }));
        await buildIndexes(db, await findMissingIndexes(db, indexes));
      }
    }
  },
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table follow_numbers (
          account_id text collate "C" not null,
          list text not null,
          epoch integer not null,
          since_epoch integer not null,
          number bigint not null,
          server text not null,
          primary key (account_id, list)
        )`,
      )
      .execute(db);
    for (const table of tables) {
      await addColumns(db, table);
      await sql.raw(`create index if not exists ${table}_followed on ${table} ${columns}`).execute(db);
      await sql.raw(`drop index ${table}_in_commit_order`).execute(db);
    }
  },
};

async function addColumns(db: Kysely<unknown>, table: string): Promise<void> {
  await sql
    .raw(
      `alter table ${table} add column if not exists follow_epoch integer, add column if not exists follow_number bigint`,
    )
    .execute(db);
}
