import type { Executor } from "@gateway/database";
import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { sql } from "kysely";
import { createInvariants } from "./invariants.ts";
import { countKinds } from "./kinds.ts";

export type Judgement = { number: number; text: string; faults: string[] };

export type Judged = { judgements: Judgement[]; kinds: Kind[] };

/** The number of rows of a kind that an invariant judged. */
export type Kind = { number: number; kind: string; count: number };

/** At most this many faults of an invariant are named. */
const mostNamed = 20;

/** Judges one snapshot of the database, while other connections write. */
export function judgeBooks({ kysely }: PlatformDatabase, secrets: readonly string[]): Promise<Judged> {
  return kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => judgeIn(trx, secrets));
}

/** Judges the snapshot of a transaction. */
export async function judgeIn(trx: Executor, secrets: readonly string[]): Promise<Judged> {
  const judgements = await findFaults(trx, secrets);
  const { rows: kinds } = await sql<Kind>`select * from (${countKinds}) as kinds order by number, kind`.execute(trx);
  return { judgements, kinds };
}

/** Lists the faults of each invariant. */
export async function findFaults(trx: Executor, secrets: readonly string[]): Promise<Judgement[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname
  `.execute(trx);
  const judgements: Judgement[] = [];
  for (const { number, text, faults } of createInvariants({ secrets, tables: tables.map(({ name }) => name) })) {
    const { rows } = await sql<{ fault: string }>`
      select fault from (${faults}) as faults limit ${sql.lit(mostNamed)}
    `.execute(trx);
    judgements.push({ number, text, faults: rows.map(({ fault }) => fault) });
  }
  return judgements;
}
