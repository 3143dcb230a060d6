import { sql, type Kysely, type RawBuilder } from "kysely";
import type { AccountClock, AccountExecutor } from "../account-time.ts";
import type { CreateId } from "../id.ts";
import { claimWork, type WorkClaimRequest, type WorkItem } from "./claim-work.ts";
import type { WorkTables } from "./tables.ts";

/** Notified when an armed item is due at once. */
export const workDueChannel = "work_due";

/** Failures in a row after which an item is reported. It is kept, and tried again. */
export const alarmingAttempts = 20;

/** Work that waits for a time of its account. It runs at least once and is shared fairly by any number of processes. */
export type WorkQueue = ReturnType<typeof createWorkQueue>;

type ArmInput = { accountId: string; kind: string; subjectId: string; firesAt: Date };

type Claimed = Pick<WorkItem, "accountId" | "id" | "lease">;

export type WorkQueueMeasures = {
  /** Due and not claimed; at most 10,000, because the cost of counting grows with the count. */
  dueCount: number;
  /** How long the oldest of them has been due; 0 when there is none. */
  oldestDueMs: number;
  /** Failed so often that a person should examine them; at most 10,000. */
  failingCount: number;
};

const second = 1_000;
const longestWaitMs = 300 * second;

/** Begins with 1 s and doubles each time, up to 5 min. `attempts` counts from 1. */
export function retryWaitMs(attempts: number): number {
  return Math.min(longestWaitMs, second * 2 ** (attempts - 1));
}

export type WorkQueueDeps = Pick<AccountClock, "inAccount" | "joinAccount"> & {
  createId: CreateId;
  /** Called with the time of each armed item. */
  onArm(firesAt: Date): void;
};

export function createWorkQueue(db: Kysely<WorkTables>, deps: WorkQueueDeps) {
  let after = "";
  const ofLease = ({ accountId, id, lease }: Claimed) =>
    sql`account_id = ${accountId} and id = ${id} and lease = ${lease}`;
  return {
    /** Runs in the transaction that makes the item necessary. An existing item stays as it is. */
    arm: (item: ArmInput) => deps.inAccount(db, item.accountId, (trx) => arm(trx, deps, item)),
    /** Like `arm`, as an insert within the statement that makes the item necessary (`with`). */
    armBeside: (item: ArmInput) => armInsert(deps.joinAccount(db, item.accountId), deps, item),
    claim: async (request: Omit<WorkClaimRequest, "after">) => {
      const claim = await claimWork(db, { ...request, after });
      after = claim.after;
      return claim.items;
    },
    /** Locks the item until the transaction ends. False: the lease was lost, and another claim decides the outcome. */
    hold: async (item: Claimed) => {
      const { rows } = await sql`select from work_items where ${ofLease(item)} for no key update`.execute(db);
      return rows.length > 0;
    },
    end: async (item: Claimed) => {
      await sql`delete from work_items where ${ofLease(item)}`.execute(db);
    },
    rearm: async (item: Claimed, firesAt: Date) => {
      const dueAt = dueAtOf(deps.joinAccount(db, item.accountId), deps, firesAt);
      await sql`
        update work_items set fires_at = ${firesAt}, due_at = ${dueAt}, lease = null, attempts = 0
        where ${ofLease(item)}
      `.execute(db);
    },
    /** The item was not done, and is tried again after a while. */
    fail: async (item: Claimed & Pick<WorkItem, "attempts">) => {
      await sql`
        update work_items set lease = null,
          due_at = gateway_now() + ${retryWaitMs(item.attempts)}::int * interval '1 millisecond'
        where ${ofLease(item)}
      `.execute(db);
    },
    /** Gives back items that were not begun. */
    release: (items: readonly Claimed[]) => release(db, items),
    /** When the next item falls due, or the next lease ends. */
    findNextDueMs: () => findNextDueMs(db),
    measure: () => measure(db),
  };
}

export async function arm(trx: AccountExecutor, deps: ArmDeps, item: ArmInput): Promise<void> {
  await armInsert(trx, deps, item).execute(trx);
}

type ArmDeps = Pick<WorkQueueDeps, "createId" | "onArm">;

function armInsert(
  trx: AccountExecutor,
  deps: ArmDeps,
  { accountId, kind, subjectId, firesAt }: ArmInput,
): RawBuilder<Record<string, never>> {
  const dueAt = dueAtOf(trx, deps, firesAt);
  return sql<Record<string, never>>`
    insert into work_items (account_id, id, kind, subject_id, fires_at, due_at)
    values (${accountId}, ${deps.createId("wki")}, ${kind}, ${subjectId}, ${firesAt}, ${dueAt})
    on conflict (account_id, kind, subject_id) do nothing
  `;
}

function dueAtOf({ aheadMs }: AccountExecutor, { onArm }: ArmDeps, firesAt: Date): Date {
  onArm(firesAt);
  return new Date(firesAt.getTime() - aheadMs);
}

async function release(db: Kysely<WorkTables>, items: readonly Claimed[]): Promise<void> {
  await sql`
    update work_items item set due_at = gateway_now(), lease = null, attempts = attempts - 1
    from unnest(
      ${items.map(({ accountId }) => accountId)}::text[],
      ${items.map(({ id }) => id)}::text[],
      ${items.map(({ lease }) => lease)}::uuid[]
    ) as claimed (account_id, id, lease)
    where item.account_id = claimed.account_id and item.id = claimed.id and item.lease = claimed.lease
  `.execute(db);
}

async function findNextDueMs(db: Kysely<WorkTables>): Promise<number | null> {
  const { rows } = await sql<{ due_at: Date }>`select due_at from work_items order by due_at limit 1`.execute(db);
  return rows[0]?.due_at.getTime() ?? null;
}

async function measure(db: Kysely<WorkTables>): Promise<WorkQueueMeasures> {
  const { rows } = await sql<{ due: number; oldest_ms: number | null; failing: number }>`
    select count(*) as due, extract(epoch from gateway_now() - min(due_at))::float8 * 1000 as oldest_ms,
      (select count(*) from (
        select from work_items where attempts >= ${sql.lit(alarmingAttempts)} limit 10000
      ) alarming) as failing
    from (select due_at from work_items where due_at <= gateway_now() order by due_at limit 10000) first_due
  `.execute(db);
  return {
    dueCount: rows[0]?.due ?? 0,
    oldestDueMs: rows[0]?.oldest_ms ?? 0,
    failingCount: rows[0]?.failing ?? 0,
  };
}
