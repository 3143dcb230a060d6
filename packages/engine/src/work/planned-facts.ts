import type { Own } from "../find-own.ts";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "../account-time.ts";
import type { PlanFacts, PlannedFact, WithdrawnFacts } from "@gateway/ports";
import type { FactReceipt, Inbox } from "./inbox.ts";
import type { PlannedFactsTable, WorkTables } from "./tables.ts";
import { arm, type WorkQueueDeps } from "./work-queue.ts";

/** The kind of work that reports a planned fact when it is due. */
export const tellFactKind = "fact.tell";

/** Facts that the simulated external systems of accounts will report, and when. */
export interface PlannedFacts {
  plan: PlanFacts;
  /** Reports a planned fact: the inbox receives it like every fact. Must run in a transaction. */
  tell(input: Own): Promise<void>;
  /** Locks these names. Call it before locking the row of their subject, because the other order can deadlock. */
  hold(named: { accountId: string; port: string; factIds: readonly string[] }): Promise<void>;
  /** Reports a fact now, instead of the planned one with its id. Must run in a transaction. */
  tellInstead(told: ToldFact): Promise<FactReceipt>;
  /**
   * Must run in a transaction. `from` is in the account's time. Facts planned for an earlier time are due, and are
   * reported.
   */
  withdraw(withdrawn: Withdrawing): Promise<void>;
  forget(planned: Pick<ToldFact, "accountId" | "port" | "factId">): Promise<void>;
}

type Withdrawing = { accountId: string; from: Date } & WithdrawnFacts;

type ToldFact = { accountId: string } & Pick<PlannedFact, "port" | "factId" | "fact">;

export type PlannedFactDeps = WorkQueueDeps & { inbox: Pick<Inbox, "receive"> };

export function createPlannedFacts(db: Kysely<WorkTables>, deps: PlannedFactDeps): PlannedFacts {
  return {
    plan: ({ accountId, facts, withdrawn }) =>
      deps.inAccount(db, accountId, async (trx) => {
        if (withdrawn) {
          await withdraw(trx, { accountId, from: trx.now, ...withdrawn });
        }
        for (const planned of facts) {
          await planOne(trx, deps, planned);
        }
      }),
    hold: async ({ accountId, port, factIds }) => {
      await sql`
        select ${lockOfName} from unnest(${factIds}::text[]) as fact_id
        cross join (values (${accountId}, ${port})) as planned (account_id, port)
      `.execute(db);
    },
    tellInstead: async (told) => {
      await forget(db, told);
      return deps.inbox.receive(told);
    },
    withdraw: (withdrawn) => withdraw(db, withdrawn),
    forget: (planned) => forget(db, planned),
    tell: async ({ accountId, id }) => {
      const row = await take(db, { accountId, id });
      if (row) {
        // It may have been planned while it was reported early, by a transaction that this one did not see.
        const { port, fact_id: factId, fact } = row;
        await deps.inbox.receive({ port, factId, accountId, fact, isPlanned: true });
      }
    },
  };
}

/** Locks the name of a fact, for a row that has these columns. */
const lockOfName = sql`pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'planned', account_id, port, fact_id), 0))`;

/** Deletes the row under the lock of its name, because the previous holder may have reported it. */
async function take(
  db: Kysely<WorkTables>,
  { accountId, id }: Own,
): Promise<Pick<Selectable<PlannedFactsTable>, "port" | "fact_id" | "fact"> | undefined> {
  const { rows } = await sql<Pick<Selectable<PlannedFactsTable>, "port" | "fact_id" | "fact">>`
    delete from planned_facts
    using (select id, ${lockOfName} from planned_facts where account_id = ${accountId} and id = ${id}) as held
    where account_id = ${accountId} and planned_facts.id = held.id
    returning port, fact_id, fact
  `.execute(db);
  return rows[0];
}

async function forget(
  db: Kysely<WorkTables>,
  { accountId, port, factId }: Pick<ToldFact, "accountId" | "port" | "factId">,
): Promise<void> {
  await db
    .deleteFrom("planned_facts")
    .where("account_id", "=", accountId)
    .where("port", "=", port)
    .where("fact_id", "=", factId)
    .execute();
}

/** Locks the item before its fact, like the program that reports it. Items that are being reported are skipped. */
async function withdraw(db: Kysely<WorkTables>, { accountId, from, port, factIds, types }: Withdrawing): Promise<void> {
  await sql`
    with waiting as (
      select item.id, item.subject_id from work_items item
      join planned_facts planned on planned.account_id = ${accountId} and planned.id = item.subject_id
      where item.account_id = ${accountId} and item.kind = ${tellFactKind} and item.fires_at >= ${from}
        and planned.port = ${port} and planned.fact_id = any(${factIds}::text[])
        and planned.fact ->> 'type' = any(${types}::text[])
      for no key update of item skip locked
    ), withdrawn as (
      delete from planned_facts using waiting where account_id = ${accountId} and planned_facts.id = waiting.subject_id
    )
    delete from work_items using waiting where account_id = ${accountId} and work_items.id = waiting.id
  `.execute(db);
}

async function planOne(
  trx: AccountTransaction<WorkTables>,
  deps: PlannedFactDeps,
  { port, factId, afterMs, fact, isInstead = false }: PlannedFact,
): Promise<void> {
  const { accountId } = trx;
  if (isInstead) {
    // Waits for a transaction that reports it now. The query below then finds it.
    await forget(trx, { accountId, port, factId });
  }
  const told = await trx
    .selectFrom("inbox_facts")
    .select("id")
    .where("account_id", "=", accountId)
    .where("port", "=", port)
    .where("fact_id", "=", factId)
    .executeTakeFirst();
  if (told) {
    return;
  }
  const row = await trx
    .insertInto("planned_facts")
    .values({ account_id: accountId, id: deps.createId("pft"), port, fact_id: factId, fact: JSON.stringify(fact) })
    .onConflict((conflict) => conflict.columns(["account_id", "port", "fact_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row) {
    const firesAt = new Date(trx.now.getTime() + afterMs);
    await arm(trx, deps, { accountId, kind: tellFactKind, subjectId: row.id, firesAt });
  }
}
