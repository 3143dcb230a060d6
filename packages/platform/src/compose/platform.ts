import { transaction } from "@gateway/database";
import type { RunDue } from "@gateway/engine/account-time";
import type { Readings } from "@gateway/engine/readings";
import { createFollowing, type Followers, type FollowingTables } from "@gateway/engine/following";
import type { WorkItem, WorkService } from "@gateway/engine/work";
import { createTypeIds } from "@gateway/kernel";
import { noPorts, type OutsidePorts } from "@gateway/ports";
import type { Kysely } from "kysely";
import { systemOrigin, type AuditOrigin } from "../audit/index.ts";
import { noEventRules, type EmitLimit } from "../events/index.ts";
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
  /** The outside, as this deployment has it. */
  readonly ports: OutsidePorts;
  /** What the outside said, until an hour after. */
  readonly readings: Pick<Readings, "deleteExpired">;
  /** Who waits for what is recorded. */
  readonly following: Followers;
  /** What an item of work is run with: in the sandbox the clock of its account stands at the item's time meanwhile. */
  workContext(item: Pick<WorkItem, "accountId" | "firesAt">): PlatformContext;
  /** The same, for what this one does. */
  from(origin: AuditOrigin): Platform;
  /**
   * Runs `work` with services that all write in one transaction: committed when it resolves, rolled back when it
   * throws. With `emits` no other event may be recorded in it, whichever noun does so; `origin` is who does all of it.
   * `needs` are asked for before it opens, unless it joins an open one, as in an advance: then what reads them fails.
   */
  transaction<Result>(work: (services: Services) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
}

export type TransactionOptions = { emits?: EmitLimit; origin?: AuditOrigin; needs?: readonly Need[] };

export function createPlatform(database: PlatformDatabase, options: PlatformDeps): Platform {
  const { administer } = database;
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
    administer,
    ...options,
  });
}

/** The ids of all of them come from one source, so they are in order. */
function platformFrom(database: PlatformDatabase, deps: CommonDeps): Platform {
  const { kysely } = database;
  return together(workContextOf(kysely, { ...deps, ...untimed }), {
    following: createFollowing(kysely.$pickTables<keyof FollowingTables>()),
    workContext: ({ accountId, firesAt }: Pick<WorkItem, "accountId" | "firesAt">) => {
      const stoppedClock = deps.livemode ? null : { accountId, nowMs: firesAt.getTime() };
      return workContextOf(kysely, { ...deps, ...untimed, stoppedClock });
    },
    from: (origin: AuditOrigin) => platformFrom(database, { ...deps, origin }),
  });
}

/** What is done at no stopped clock, and limited to no events. */
const untimed = { emits: null, refreshed: null, stoppedClock: null, onArm: () => {}, runDueIn: createRunDue };

/** Within an open transaction all of it is of that one. */
function workContextOf(db: Kysely<Schema>, deps: ServiceDeps): Composed & Pick<Platform, "transaction"> {
  const composed = createServices(db, deps);
  return together(composed, {
    transaction: async <Result>(
      work: (services: Services) => Promise<Result>,
      { emits, origin = deps.origin, needs = [] }: TransactionOptions = {},
    ): Promise<Result> => {
      const isAsking = needs.length > 0 && !db.isTransaction;
      const refreshed = isAsking ? await composed.readings.refresh(needs, (need) => ask(composed, need)) : null;
      const own = { ...deps, origin, emits: emits ?? null, refreshed };
      return transaction(db, (trx) => work(createServices(trx, own)));
    },
  });
}

/** In the transaction of an advance, with nobody but the platform itself as its origin. */
function createRunDue(db: Kysely<Schema>, deps: ServiceDeps, work: WorkService): RunDue {
  return ({ accountId, aheadMs, limit }) => {
    const run = (item: WorkItem, onArm: (firesAt: Date) => void) => {
      const stoppedClock = { accountId, nowMs: item.firesAt.getTime(), aheadMs };
      const context = workContextOf(db, { ...deps, origin: systemOrigin, emits: null, stoppedClock, onArm });
      return runWorkItem(context, handlerOf(item, deps.workHandlers), item);
    };
    const now = new Date(deps.clock.now() + aheadMs);
    return runDueWork({ trx: db, work, run }, { accountId, limit, now });
  };
}
