import { isUnavailable, tryApart, type Executor } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import type { CreateId } from "../id.ts";
import type { FactContent, InboxFactsTable, WorkTables } from "./tables.ts";

/** A report from an external system about a subject in an account. */
export type Fact = {
  accountId: string;
  id: string;
  port: string;
  /** The id that the external system gave it. */
  factId: string;
  subjectId: string;
  content: FactContent;
  receivedAt: Date;
};

/** `parked`: no transition accepts it yet. `superseded`: overtaken. `mismatched`: a person has to examine it. */
export type FactVerdict = "applied" | "parked" | "superseded" | "mismatched";

/** `known`: it came before. `disputed`: it came before with other content; a person has to examine it. */
export type FactReceipt = FactVerdict | "known" | "disputed";

export type OpenFact = Fact & {
  status: InboxFactsTable["status"];
  /** Other content that came with the same id. */
  disputed: FactContent | null;
};

type Received = { port: string; factId: string; accountId: string; fact: FactContent; isPlanned?: boolean };

/** The only entrance for facts from external systems. Needs a transaction of the account, except for reads. */
export type Inbox = ReturnType<typeof createInbox>;

export type InboxMeasures = {
  /** At most 10,000, because the cost of counting grows with the count. */
  parkedCount: number;
  /** How long the oldest of them has been parked; 0 when there is none. */
  oldestParkedMs: number;
  /** Parked for over ten minutes, mismatched or disputed; 10,000 at most. */
  alarmingCount: number;
};

export type InboxDeps = {
  clock: Clock;
  createId: CreateId;
  recordAudit(trx: Executor, record: FactAudit): Promise<void>;
  /** Throws when no service accepts facts of this port. */
  subjectOf(port: string, content: FactContent): string;
  /** See `FactRoute.apply`. */
  apply(fact: Fact): Promise<FactVerdict>;
};

type FactAudit = {
  accountId: string;
  type: "fact.retried" | "fact.dismissed";
  resourceId: string;
  after: { status: InboxFactsTable["status"] };
};

type Subject = Pick<Fact, "accountId" | "subjectId">;

export function createInbox(db: Kysely<WorkTables>, deps: InboxDeps) {
  /**
   * Subjects whose facts are being applied. A transition that a fact causes also calls `resume`, which then has no
   * effect: parked facts are tried when that fact is done.
   */
  const busy = new Set<string>();
  const resume = async (subject: Subject): Promise<void> => {
    await once(busy, subject, () => applyParked(db, subject, deps));
  };
  const settle = async (
    fact: Fact,
    status: InboxFactsTable["status"],
    instead: Partial<Record<FactVerdict, FactVerdict>> = {},
  ): Promise<FactVerdict> => {
    const decided = await once(busy, fact, () => decide(db, fact, deps));
    if (decided === null) {
      throw new Error(`A fact of ${fact.subjectId} came out of a transition of the same.`);
    }
    const verdict = instead[decided] ?? decided;
    if (verdict !== status) {
      await note(db, fact, { from: status, to: verdict });
    }
    if (verdict === "applied") {
      await resume(fact);
    }
    return verdict;
  };
  return {
    /**
     * Applies a fact once, and then the facts that waited for it. When it rejects, nothing may be committed, and the
     * external system has to report the fact again. A fact that `isPlanned` by the sandbox may be overtaken without an
     * alarm.
     */
    receive: async ({ port, factId, accountId, fact: content, isPlanned = false }: Received) => {
      const subjectId = deps.subjectOf(port, content);
      const receivedAt = new Date(deps.clock.now());
      const fact = { accountId, id: deps.createId("fct"), port, factId, subjectId, content, receivedAt };
      if (await insert(db, fact)) {
        return settle(fact, expected, isPlanned ? { mismatched: "superseded" } : {});
      }
      return isPlanned ? "known" : meetAgain(db, fact);
    },
    /**
     * Applies, oldest first, the facts that waited for a transition. Called after each transition that no fact caused.
     */
    resume,
    accountOf: async (id: string) => (await openFacts(db).where("id", "=", id).executeTakeFirst())?.account_id ?? null,
    listOpen: async (limit: number) => (await openFacts(db).limit(limit).execute()).map(openFactOf),
    /** For operators: tries a parked or mismatched fact again. Null when there is no such fact. */
    retry: async (id: string) => {
      const row = await openFacts(db).where("id", "=", id).where("status", "in", undecided).executeTakeFirst();
      if (!row) {
        return null;
      }
      const status = await settle(openFactOf(row), row.status);
      await deps.recordAudit(db, {
        accountId: row.account_id,
        type: "fact.retried",
        resourceId: id,
        after: { status },
      });
      return status;
    },
    /**
     * For operators who have examined it: it is never tried again. Returns it as it was, or null when it is not open.
     */
    dismiss: (id: string) => dismiss(db, deps, id),
    measure: () => measure(db),
  };
}

async function dismiss(db: Kysely<WorkTables>, deps: InboxDeps, id: string): Promise<OpenFact | null> {
  const row = await openFacts(db).where("id", "=", id).forUpdate().executeTakeFirst();
  if (!row) {
    return null;
  }
  const status = undecided.some((one) => one === row.status) ? "dismissed" : row.status;
  await db
    .updateTable("inbox_facts")
    .set({ disputed: null, status })
    .where("account_id", "=", row.account_id)
    .where("id", "=", id)
    .where("port", "=", row.port)
    .where("fact_id", "=", row.fact_id)
    .execute();
  await deps.recordAudit(db, {
    accountId: row.account_id,
    type: "fact.dismissed",
    resourceId: id,
    after: { status },
  });
  return openFactOf(row);
}

const undecided = ["parked", "mismatched"] as const;

async function once<Result>(busy: Set<string>, of: Subject, work: () => Promise<Result>): Promise<Result | null> {
  const key = `${of.accountId} ${of.subjectId}`;
  if (busy.has(key)) {
    return null;
  }
  busy.add(key);
  try {
    return await work();
  } finally {
    busy.delete(key);
  }
}

/** Held while a fact is parked and while parked facts are read, so none is parked as its transition happens. */
async function lockSubject(db: Kysely<WorkTables>, { accountId, subjectId }: Subject): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`fact ${accountId} ${subjectId}`}, 0))`.execute(db);
}

async function decide(db: Kysely<WorkTables>, fact: Fact, deps: InboxDeps): Promise<FactVerdict> {
  const verdict = await deps.apply(fact);
  if (verdict !== "parked") {
    return verdict;
  }
  await lockSubject(db, fact);
  return deps.apply(fact);
}

/** Begins again with the oldest after each applied fact, because another may have waited for it. */
async function applyParked(db: Kysely<WorkTables>, subject: Subject, deps: InboxDeps): Promise<void> {
  let hasMoved = true;
  while (hasMoved) {
    hasMoved = false;
    for (const fact of await listParked(db, subject)) {
      // A fact that cannot be applied must not undo the transition that it waited for. It stays parked, and alarms.
      const verdict = (await tryApart(db, mayBeLeft, () => deps.apply(fact))) ?? "parked";
      if (verdict !== "parked") {
        await note(db, fact, { from: "parked", to: verdict });
      }
      if (verdict === "applied") {
        hasMoved = true;
        break;
      }
    }
  }
}

function mayBeLeft(error: unknown): boolean {
  return !isUnavailable(error);
}

/** Rejects, and so rolls everything back, when the fact was decided elsewhere meanwhile. */
async function note(
  db: Kysely<WorkTables>,
  fact: Fact,
  { from, to }: { from: InboxFactsTable["status"]; to: FactVerdict },
): Promise<void> {
  await db
    .updateTable("inbox_facts")
    .set({ status: to })
    .where("account_id", "=", fact.accountId)
    .where("id", "=", fact.id)
    // Without port and fact id, the plan may read all facts of an account.
    .where("port", "=", fact.port)
    .where("fact_id", "=", fact.factId)
    .where("status", "=", from)
    .returning("id")
    .executeTakeFirstOrThrow();
}

/**
 * The verdict of nearly every fact. It is written at once, and corrected before the commit when the verdict differs.
 */
const expected = "applied";

async function insert(db: Kysely<WorkTables>, fact: Fact): Promise<boolean> {
  const row = await db
    .insertInto("inbox_facts")
    .values({
      account_id: fact.accountId,
      id: fact.id,
      port: fact.port,
      fact_id: fact.factId,
      subject_id: fact.subjectId,
      fact: JSON.stringify(fact.content),
      status: expected,
      received_at: fact.receivedAt,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "port", "fact_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

async function meetAgain(db: Kysely<WorkTables>, fact: Fact): Promise<FactReceipt> {
  const content = JSON.stringify(fact.content);
  const { rows } = await sql`
    update inbox_facts set disputed = coalesce(disputed, ${content}::jsonb)
    where account_id = ${fact.accountId} and port = ${fact.port} and fact_id = ${fact.factId} and fact <> ${content}::jsonb
    returning id
  `.execute(db);
  return rows.length > 0 ? "disputed" : "known";
}

/** Locks the subject like `lockSubject`, and then reads. */
async function listParked(db: Kysely<WorkTables>, { accountId, subjectId }: Subject): Promise<Fact[]> {
  const { rows } = await sql<Selectable<InboxFactsTable>>`
    select * from parked_facts_of(${accountId}, ${subjectId})
  `.execute(db);
  return rows.map(openFactOf);
}

function openFacts(db: Kysely<WorkTables>) {
  return db
    .selectFrom("inbox_facts")
    .selectAll()
    .where(sql<boolean>`(status in ('parked', 'mismatched') or disputed is not null)`)
    .orderBy("received_at")
    .orderBy("id");
}

function openFactOf(row: Selectable<InboxFactsTable>): OpenFact {
  return {
    accountId: row.account_id,
    id: row.id,
    port: row.port,
    factId: row.fact_id,
    subjectId: row.subject_id,
    content: row.fact,
    receivedAt: row.received_at,
    status: row.status,
    disputed: row.disputed,
  };
}

async function measure(db: Kysely<WorkTables>): Promise<InboxMeasures> {
  const { rows } = await sql<{ parked: number; oldest_ms: number | null; alarming: number }>`
    select count(*) filter (where status = 'parked') as parked,
      extract(epoch from gateway_now() - min(received_at) filter (where status = 'parked'))::float8 * 1000 as oldest_ms,
      count(*) filter (where status <> 'parked' or disputed is not null
        or received_at < gateway_now() - interval '10 minutes') as alarming
    from (
      select status, disputed, received_at from inbox_facts
      where status in ('parked', 'mismatched') or disputed is not null
      order by received_at, id limit 10000
    ) as open
  `.execute(db);
  const [row] = rows;
  return {
    parkedCount: row?.parked ?? 0,
    oldestParkedMs: Math.max(0, row?.oldest_ms ?? 0),
    alarmingCount: row?.alarming ?? 0,
  };
}
