import { transaction } from "@gateway/database";
import type { Kysely, Transaction } from "kysely";
import type { AccountTime } from "../account-time.ts";
import type { PlanFacts, PlannedFact } from "../ports/index.ts";
import type { FactReceipt, Inbox } from "./inbox.ts";
import type { WorkTables } from "./tables.ts";
import { arm, type WorkQueueDeps } from "./work-queue.ts";

/** The kind of work that tells a planned fact when its time has come. */
export const tellFactKind = "fact.tell";

/** What the simulated outside of accounts will tell, and when. */
export interface PlannedFacts {
  plan: PlanFacts;
  /** Tells one that is planned: it comes in by the door of all facts. Must run in a transaction. */
  tell(input: { accountId: string; id: string }): Promise<void>;
  /** Tells one now, in the place of what is planned under its name. Must run in a transaction. */
  tellInstead(told: ToldFact): Promise<FactReceipt>;
  /** One is told no more. */
  forget(planned: Pick<ToldFact, "accountId" | "port" | "factId">): Promise<void>;
}

type ToldFact = { accountId: string } & Pick<PlannedFact, "port" | "factId" | "fact">;

export type PlannedFactDeps = WorkQueueDeps & {
  accountTime: AccountTime;
  inbox: Pick<Inbox, "receive">;
};

export function createPlannedFacts(db: Kysely<WorkTables>, deps: PlannedFactDeps): PlannedFacts {
  return {
    plan: ({ accountId, facts }) =>
      transaction(db, async (trx) => {
        const nowMs = await deps.accountTime(trx, accountId);
        for (const planned of facts) {
          await planOne(trx, deps, { accountId, nowMs, planned });
        }
      }),
    tellInstead: async (told) => {
      await forget(db, told);
      return deps.inbox.receive(told);
    },
    forget: (planned) => forget(db, planned),
    tell: async ({ accountId, id }) => {
      const row = await db
        .deleteFrom("planned_facts")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      if (row) {
        await deps.inbox.receive({ port: row.port, factId: row.fact_id, accountId, fact: row.fact });
      }
    },
  };
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

async function planOne(
  trx: Transaction<WorkTables>,
  deps: PlannedFactDeps,
  { accountId, nowMs, planned }: { accountId: string; nowMs: number; planned: PlannedFact },
): Promise<void> {
  const { port, factId, afterMs, fact, isInstead = false } = planned;
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
    const firesAt = new Date(nowMs + afterMs);
    await arm(trx, deps, { accountId, kind: tellFactKind, subjectId: row.id, firesAt });
  }
}
