import { openDatabase } from "@gateway/database";
import type { Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { sql } from "kysely";

export type Altered = {
  /** The ledger transaction whose entry was altered. */
  id: string;
  /** The faults that following the chains of the copy found. */
  faults: string[];
};

export type AlteredCopyOptions = {
  /** The server's URL. No connection to its database may be open. */
  url: string;
  openPlatform(database: PlatformDatabase): Platform;
};

/**
 * Alters one digit of one entry in a copy of the database, bypassing all its guards. The chains must name the entry.
 */
export async function alterCopy({ url, openPlatform }: AlteredCopyOptions): Promise<Altered> {
  const original = new URL(url).pathname.slice(1);
  const copy = `${original}_altered`;
  await onDatabase(withDatabase(url, "template1"), ({ kysely }) =>
    sql`create database ${sql.id(copy)} template ${sql.id(original)}`.execute(kysely),
  );
  return onDatabase(withDatabase(url, copy), async (database) => {
    const id = await alterEntry(database);
    return { id, faults: await followChains(openPlatform(database)) };
  });
}

/** The fault of each account whose chain is not whole. */
export async function followChains({ ledger: { seals } }: Platform): Promise<string[]> {
  const faults: string[] = [];
  for (const accountId of await seals.listAccounts()) {
    const { fault, unsealed } = await seals.verify(accountId);
    if (fault !== null || unsealed > 0) {
      faults.push(`${accountId}: ${fault ?? `${unsealed} ledger transactions are not sealed`}`);
    }
  }
  return faults;
}

async function alterEntry({ kysely }: PlatformDatabase): Promise<string> {
  return kysely.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    const { rows } = await sql<{ id: string }>`
      update ledger_entries set amount = amount # 1 where id = (
        select id from ledger_entries where amount > 1 order by md5(id) limit 1
      ) returning left(id, length(id) - 3) as id
    `.execute(trx);
    return rows[0]?.id ?? "";
  });
}

async function onDatabase<Result>(url: string, work: (database: PlatformDatabase) => Promise<Result>): Promise<Result> {
  const database = openDatabase<Schema>({ url, applicationName: "storm", queryTimeoutMs: 60_000 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
