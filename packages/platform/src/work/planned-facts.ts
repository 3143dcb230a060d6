import { transaction } from "@gateway/database";
import type { Kysely, Transaction } from "kysely";
import type { AccountTime } from "../account-time.ts";
import type { CreateId } from "../id.ts";
import type { PlanFacts, PlannedFact } from "../ports/index.ts";
import type { Inbox } from "./inbox.ts";
import type { WorkTables } from "./tables.ts";
import { arm } from "./work-queue.ts";

/** The kind of work that tells a planned fact when its time has come. */
export const tellFactKind = "fact.tell";

/** What the simulated outside of accounts will tell, and when. */
export interface PlannedFacts {
  plan: PlanFacts;
  /** Tells one that is planned: it comes in by the door of all facts. Must run in a transaction. */
  tell(input: { accountId: string; id: string }): Promise<void>;
}

export type PlannedFactDeps = {
  accountTime: AccountTime;
  createId: CreateId;
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

async function planOne(
  trx: Transaction<WorkTables>,
  deps: PlannedFactDeps,
  { accountId, nowMs, planned }: { accountId: string; nowMs: number; planned: PlannedFact },
): Promise<void> {
  const { port, factId, afterMs, fact } = planned;
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
