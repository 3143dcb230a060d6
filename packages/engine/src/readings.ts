import { Problem } from "@gateway/contract";
import type { Immutable } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type ColumnType, type Insertable, type Kysely } from "kysely";

export type ReadingsTables = { readings: ReadingsTable };

type ReadingsTable = {
  account_id: Immutable<string>;
  /** The kind of the need that asked. */
  kind: Immutable<string>;
  subject: Immutable<string>;
  /** Written as JSON text. */
  value: ColumnType<unknown, string, string>;
  /** When the operation that asked began to ask. */
  as_of: Date;
};

/** Something that an operation needs of an external service. It is declared beside the operation, as data. */
export type AnyNeed = { kind: string; accountId: string } & Readonly<Record<string, unknown>>;

/** What a need came to: `subject` is what it is about, `value` fits in JSON. */
export type Answer = { subject: string; value: unknown };

/** How an operation asked for what it needs. `failures`: by kind, of the needs that were not answered. */
export type Refreshed = { asOf: Date; failures: ReadonlyMap<string, unknown> };

type Subject = { accountId: string; kind: string; subject: string };

/** What external services said, in a table that the business reads as its own. */
export interface Readings {
  /**
   * The value that this operation asked for, as the need of its kind wrote it. Throws what asking failed with, and
   * UNAVAILABLE when this operation did not ask: a reading of before is too old.
   */
  read<Value>(of: Subject): Promise<Value>;
  /** Asks for needs of different kinds at once, and keeps what is answered. In no transaction. */
  refresh<Of extends AnyNeed>(needs: readonly Of[], ask: (need: Of) => Promise<Answer | null>): Promise<Refreshed>;
  /** Removes up to `limit` that no operation reads any more, and says how many there were. */
  deleteExpired(limit: number): Promise<number>;
}

export type ReadingDeps = {
  clock: Clock;
  /** How the operation asked in whose transaction this is; null when it asked for nothing. */
  refreshed: Refreshed | null;
};

/** An operation reads what it asked for seconds before. */
const keptMs = 60 * 60 * 1000;

export function createReadings(db: Kysely<ReadingsTables>, { clock, refreshed }: ReadingDeps): Readings {
  return {
    read: async <Value>(of: Subject) => {
      if (refreshed?.failures.has(of.kind)) {
        throw refreshed.failures.get(of.kind);
      }
      const reading = refreshed && (await findReading(db, of, refreshed));
      if (!reading) {
        throw notAsked(of);
      }
      // As the need of this kind wrote it.
      return reading.value as Value;
    },
    refresh: async (needs, ask) => {
      const asOf = new Date(clock.now());
      const failures = new Map<string, unknown>();
      const answers = await Promise.all(
        needs.map(async (need) => {
          const answer = await ask(need).catch((error: unknown) => void failures.set(need.kind, error));
          return answer ? [rowOf(need, answer, asOf)] : [];
        }),
      );
      await keep(db, answers.flat());
      return { asOf, failures };
    },
    deleteExpired: async (limit) => {
      const { numAffectedRows } = await sql`
        delete from readings where (account_id, kind, subject) in (
          select account_id, kind, subject from readings where as_of < ${new Date(clock.now() - keptMs)}
          order by as_of limit ${limit} for update skip locked
        )
      `.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  };
}

function findReading(db: Kysely<ReadingsTables>, { accountId, kind, subject }: Subject, { asOf }: Refreshed) {
  return db
    .selectFrom("readings")
    .select("value")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("subject", "=", subject)
    .where("as_of", ">=", asOf)
    .executeTakeFirst();
}

function notAsked({ kind, subject }: Subject): Problem {
  return new Problem("UNAVAILABLE", "What this request depends on changed meanwhile. Try again.", {
    headers: { "Retry-After": "1" },
    cause: new Error(`The ${kind} of ${subject} was not asked for before this transaction.`),
  });
}

function rowOf({ accountId, kind }: AnyNeed, { subject, value }: Answer, asOf: Date): Insertable<ReadingsTable> {
  return { account_id: accountId, kind, subject, value: JSON.stringify(value), as_of: asOf };
}

/** In one order, so that operations that ask for the same never wait for one another in a circle. The latest stays. */
async function keep(db: Kysely<ReadingsTables>, rows: readonly Insertable<ReadingsTable>[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await db
    .insertInto("readings")
    .values(rows.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "kind", "subject"])
        .doUpdateSet(({ ref }) => ({ value: ref("excluded.value"), as_of: ref("excluded.as_of") }))
        .whereRef("readings.as_of", "<=", "excluded.as_of"),
    )
    .execute();
}
