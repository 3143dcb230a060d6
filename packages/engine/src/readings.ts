import { Problem } from "@gateway/contract";
import { deleteOldest, type Immutable } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type ColumnType, type Kysely } from "kysely";

export type ReadingsTables = {
  readings: {
    account_id: Immutable<string>;
    /** The kind of the need. */
    kind: Immutable<string>;
    subject: Immutable<string>;
    /** Written as JSON text. */
    value: ColumnType<unknown, string, string>;
    /** When the operation began to ask. */
    as_of: Date;
  };
};

/** Something that an operation needs from an external service. It is declared next to the operation, as data. */
export type AnyNeed = { kind: string; accountId: string } & Readonly<Record<string, unknown>>;

/** `subject`: the resource that the need asked about. `value` fits in JSON. */
export type Answer = { subject: string; value: unknown };

/** The refresh of an operation's needs. `failures`: by kind, for needs without a response. */
export type Refreshed = { asOf: Date; failures: ReadonlyMap<string, unknown> };

/** Responses of external services, in a table that business code reads like its own. */
export interface Readings {
  /**
   * Throws the failure of the refresh. Throws UNAVAILABLE when this operation did not ask, because others are too old.
   */
  read<Value>(of: { accountId: string; kind: string; subject: string }): Promise<Value>;
  /** Asks for needs of different kinds at once, outside of transactions, and keeps each response. Null: none exists. */
  refresh<Need extends AnyNeed>(
    needs: readonly Need[],
    ask: (need: Need) => Promise<Answer | null>,
  ): Promise<Refreshed>;
  deleteExpired(limit: number): Promise<number>;
}

/** `refreshed` belongs to the operation whose transaction this is; null when it asked for nothing. */
export type ReadingDeps = { clock: Clock; refreshed: Refreshed | null };

/** Long enough, because an operation reads its needs seconds after it asked. */
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
      // The need of this kind wrote the value.
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
