import { Problem } from "@gateway/contract";
import { deleteOldest, type Immutable } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type ColumnType, type Kysely } from "kysely";

export type ReadingsTables = {
  readings: {
    account_id: Immutable<string>;
    /** The kind of the need that asked. */
    kind: Immutable<string>;
    subject: Immutable<string>;
    /** Written as JSON text. */
    value: ColumnType<unknown, string, string>;
    /** When the operation that asked began to ask. */
    as_of: Date;
  };
};

/** Something that an operation needs of an external service. It is declared beside the operation, as data. */
export type AnyNeed = { kind: string; accountId: string } & Readonly<Record<string, unknown>>;

/** `subject` is what was asked about, `value` fits in JSON. */
export type Answer = { subject: string; value: unknown };

/** How an operation asked for what it needs. `failures`: by kind, of the needs that were not answered. */
export type Refreshed = { asOf: Date; failures: ReadonlyMap<string, unknown> };

/** What external services said, in a table that the business reads as its own. */
export interface Readings {
  /** Throws what asking failed with, and UNAVAILABLE when this operation did not ask: others are too old. */
  read<Value>(of: { accountId: string; kind: string; subject: string }): Promise<Value>;
  /** Asks for needs of different kinds at once, in no transaction, and keeps each answer. Null: there is none. */
  refresh<Need extends AnyNeed>(
    needs: readonly Need[],
    ask: (need: Need) => Promise<Answer | null>,
  ): Promise<Refreshed>;
  deleteExpired(limit: number): Promise<number>;
}

/** `refreshed`: of the operation in whose transaction this is; null when it asked for nothing. */
export type ReadingDeps = { clock: Clock; refreshed: Refreshed | null };

/** An operation reads what it asked for seconds before. */
const keptMs = 60 * 60 * 1000;

export function createReadings(db: Kysely<ReadingsTables>, { clock, refreshed }: ReadingDeps): Readings {
  return {
    read: async <Value>({ accountId, kind, subject }: Parameters<Readings["read"]>[0]) => {
      if (refreshed?.failures.has(kind)) {
        throw refreshed.failures.get(kind);
      }
      const own = db.selectFrom("readings").select("value").where("account_id", "=", accountId);
      const of = own.where("kind", "=", kind).where("subject", "=", subject);
      const reading = refreshed && (await of.where("as_of", ">=", refreshed.asOf).executeTakeFirst());
      if (!reading) {
        throw new Problem("UNAVAILABLE", "A value that this request depends on has changed. Try again.", {
          headers: { "Retry-After": "1" },
          cause: new Error(`The ${kind} of ${subject} was not asked for before this transaction.`),
        });
      }
      // As the need of this kind wrote it.
      return reading.value as Value;
    },
    refresh: async (needs, ask) => {
      const asOf = new Date(clock.now());
      const failures = new Map<string, unknown>();
      const refreshOne = async (need: (typeof needs)[number]): Promise<void> => {
        const answer = await ask(need);
        await (answer && keep(db, { ...need, ...answer, asOf }));
      };
      await Promise.all(
        needs.map((need) => refreshOne(need).catch((error: unknown) => failures.set(need.kind, error))),
      );
      return { asOf, failures };
    },
    deleteExpired: (limit) =>
      deleteOldest(db, { from: "readings", by: "as_of", until: new Date(clock.now() - keptMs - 1), limit }),
  };
}

async function keep(
  db: Kysely<ReadingsTables>,
  { accountId, kind, subject, value, asOf }: AnyNeed & Answer & { asOf: Date },
): Promise<void> {
  await sql`
    insert into readings (account_id, kind, subject, value, as_of)
    values (${accountId}, ${kind}, ${subject}, ${JSON.stringify(value)}, ${asOf})
    on conflict (account_id, kind, subject) do update set value = excluded.value, as_of = excluded.as_of
    where readings.as_of <= excluded.as_of
  `.execute(db);
}
