import { transaction, type Transaction } from "@gateway/database";
import type { HeldClock, RunDue } from "@gateway/engine/account-time";
import type { Readings } from "@gateway/engine/readings";
import { createFollowing, type Followers, type FollowingTables } from "@gateway/engine/following";
import { catchUpKind, type WorkItem } from "@gateway/engine/work";
import { createTypeIds } from "@gateway/kernel";
import { noPorts, type OutsidePorts } from "@gateway/ports";
import type { Kysely } from "kysely";
import { systemOrigin, type AuditOrigin } from "../audit/index.ts";
import { noEventRules, type EmitLimit } from "../events/index.ts";
import { createAccountClock } from "../gateway/index.ts";
import { createRoundMemory } from "../oracle/index.ts";
import { usualRequestLogDays } from "../request-log/index.ts";
import { ask, type Need } from "./elsewhere.ts";
import { factRoutes } from "./fact-routes.ts";
import { together } from "./lazily.ts";
import type { Services } from "./may-call.ts";
import { runDueWork } from "./run-due-work.ts";
import { handlerOf, runWorkItem, type PlatformContext } from "./run-work-item.ts";
import type { PlatformDatabase, Schema } from "./schema.ts";
import { createServices, type CommonDeps, type Composed, type PlatformDeps, type ServiceDeps } from "./services.ts";
import { workHandlers } from "./work-handlers.ts";

export interface Platform extends Services {
  readonly ports: OutsidePorts;
  /** Responses of external services, kept for an hour. */
  readonly readings: Pick<Readings, "deleteExpired">;
  /** Readers that wait for newly recorded rows. */
  readonly following: Followers;
  /** The context of a work item. In the sandbox the clock of its account shows the item's time meanwhile. */
  workContext(item: OwnItem): PlatformContext;
  /** The same platform, with this origin for its changes. */
  from(origin: AuditOrigin): Platform;
  /**
   * Runs `work` in one transaction. With `emits` no other event may be recorded in it. `needs` are read before it
   * opens. When it joins an open transaction they are not read, and code that uses them fails. Nothing in it may be
   * dated by the time of an account.
   */
  transaction<Result>(work: (services: Services) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** The same in a transaction of an account, which locks the account's clock before `work` begins. */
  inAccount<Result>(
    accountId: string,
    work: (services: Services) => Promise<Result>,
    options?: TransactionOptions & {
      /** No other transaction of the account is open meanwhile, for work that moves its clock. */
      isAlone?: boolean;
    },
  ): Promise<Result>;
}

export type TransactionOptions = { emits?: EmitLimit; origin?: AuditOrigin; needs?: readonly Need[] };

type OwnItem = Pick<WorkItem, "accountId" | "firesAt" | "kind">;

export function createPlatform(database: PlatformDatabase, options: PlatformDeps): Platform {
  const { administer, transactionTimeoutMs } = database;
  return platformFrom(database, {
    eventRules: noEventRules,
    factRoutes,
    workHandlers,
    createPorts: () => noPorts,
    requestLogDays: usualRequestLogDays,
    onUndecidedRound: () => {},
    ownOrigins: [],
    origin: systemOrigin,
    createId: createTypeIds(options.clock),
    roundMemory: createRoundMemory(),
    ...{ administer, transactionTimeoutMs },
    ...options,
  });
}

/** All ids come from one source, so they are in order. */
function platformFrom(database: PlatformDatabase, deps: CommonDeps): Platform {
  const { kysely } = database;
  return together(contextOf(kysely, { ...deps, ...untimed }), {
    following: createFollowing(kysely.$pickTables<keyof FollowingTables>()),
    workContext: ({ accountId, firesAt, kind }: OwnItem) => {
      const context = contextOf(kysely, { ...deps, ...untimed, stoppedAt: deps.livemode ? null : firesAt });
      return together(context, {
        transaction: <Result>(work: (services: Services) => Promise<Result>, options?: TransactionOptions) =>
          context.inAccount(accountId, work, { ...options, isAlone: kind === catchUpKind }),
      });
    },
    from: (origin: AuditOrigin) => platformFrom(database, { ...deps, origin }),
  });
}

/** The defaults: no stopped clock, and no limit on events. */
const untimed = {
  ...{ emits: null, refreshed: null, held: null, stoppedAt: null },
  ...{ onArm: () => {}, runDueIn: createRunDue },
};

/** Within an open transaction, all services belong to that transaction. */
function contextOf(db: Kysely<Schema>, deps: ServiceDeps): Composed & Pick<Platform, "inAccount" | "transaction"> {
  const { hold } = createAccountClock(deps);
  const composed = createServices(db, deps);
  const run = async <Result>(
    begin: (trx: Transaction<Schema>) => Promise<HeldClock | null>,
    work: (services: Services) => Promise<Result>,
    { needs = [], ...own }: TransactionOptions = {},
  ): Promise<Result> => {
    const isAsking = needs.length > 0 && !db.isTransaction;
    const refreshed = isAsking ? await composed.readings.refresh(needs, (need) => ask(composed, need)) : null;
    return transaction(db, async (trx) =>
      work(createServices(trx, { ...deps, emits: null, ...own, refreshed, held: await begin(trx) })),
    );
  };
  return together(composed, {
    transaction: (work, options) => run(async () => deps.held, work, options),
    inAccount: (accountId, work, { isAlone = false, ...options } = {}) =>
      run((trx) => hold(trx, { accountId, isAlone }), work, options),
  } satisfies Pick<Platform, "inAccount" | "transaction">);
}

/** Runs due work in the transaction of an advance, with the platform itself as its origin. */
function createRunDue(db: Kysely<Schema>, deps: ServiceDeps): RunDue {
  return ({ accountId, aheadMs, limit }) => {
    const nowMs = deps.clock.now() + aheadMs;
    const contextAt = (now: Date, onArm: (firesAt: Date) => void) => {
      const held: HeldClock = { accountId, now, aheadMs, behindMs: Math.max(0, nowMs - now.getTime()), isAlone: true };
      return contextOf(db, { ...deps, origin: systemOrigin, emits: null, held, onArm });
    };
    const run = (item: WorkItem, onArm: (firesAt: Date) => void) =>
      runWorkItem(contextAt(item.firesAt, onArm), handlerOf(item, deps.workHandlers), item);
    const now = new Date(nowMs);
    const busyMs = deps.transactionTimeoutMs / 2;
    return runDueWork({ trx: db, work: contextAt(now, () => {}).work, run, busyMs }, { accountId, limit, now });
  };
}
