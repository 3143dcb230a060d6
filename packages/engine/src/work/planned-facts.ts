import type { Own } from "../find-own.ts";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "../account-time.ts";
import type { PlanFacts, PlannedFact, WithdrawnFacts } from "@gateway/ports";
import type { FactReceipt, Inbox } from "./inbox.ts";
import type { PlannedFactsTable, WorkTables } from "./tables.ts";
import { arm, type WorkQueueDeps } from "./work-queue.ts";

/** The kind of work that tells a planned fact when its time has come. */
export const tellFactKind = "fact.tell";

/** What the simulated outside of accounts will tell, and when. */
export interface PlannedFacts {
  plan: PlanFacts;
  /** Tells one that is planned: it comes in by the door of all facts. Must run in a transaction. */
  tell(input: Own): Promise<void>;
  /** Locks these names, before the row of their subject: else both may wait in a circle. */
  hold(named: { accountId: string; port: string; factIds: readonly string[] }): Promise<void>;
  /** Tells one now, in the place of what is planned under its name. Must run in a transaction. */
  tellInstead(told: ToldFact): Promise<FactReceipt>;
  /** Must run in a transaction. `from` in the account's time: what was to be told before has come due, and is told. */
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
        // It may have been planned just when it was told in its place, by a transaction that this one did not see.
        const { port, fact_id: factId, fact } = row;
        await deps.inbox.receive({ port, factId, accountId, fact, isPlanned: true });
      }
    },
  };
}

/** Of a row that has these columns. */
const lockOfName = sql`pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'planned', account_id, port, fact_id), 0))`;

/** Under the lock of its name: who held that before may have told it. */
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

/** The item before its fact, as who tells it; one that is being told is left to that one. */
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
    // Waits for one who tells it now: then it is told below.
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
