import { transaction, type Database } from "@gateway/database";
import { createTypeIds, type Cipher, type Clock, type CursorCodec } from "@gateway/kernel";
import type { Kysely } from "kysely";
import type { RunDue, StoppedClock } from "./account-time.ts";
import { createAudit, systemOrigin, type Audit, type AuditTables, type AuditOrigin } from "./audit/index.ts";
import { createAccounts, livingGrants, listPlaces, type Accounts, type AccountsTables } from "./accounts/index.ts";
import { createAuth, type Auth, type AuthTables } from "./auth/index.ts";
import type { ConsoleTables } from "./console/index.ts";
import { createCustody, type Custody, type CustodyTables } from "./custody/index.ts";
import type { DeploymentTables } from "./claim-deployment.ts";
import {
  createEvents,
  moveDeliveries,
  noEventRules,
  type EmitLimit,
  type EventRules,
  type Events,
  type EventsTables,
} from "./events/index.ts";
import { createExecution, type Execution, type ExecutionTables } from "./execution/index.ts";
import { factRoutes } from "./fact-routes.ts";
import { routeOf, type FactRoutes } from "./fact-route.ts";
import { createAccountClock, createGatewayService, type GatewayService, type GatewayTables } from "./gateway/index.ts";
import { createFollowing, type Followers, type FollowingTables } from "./following.ts";
import type { CreateId } from "./id.ts";
import { createIdentity, type Identity, type IdentityTables } from "./identity/index.ts";
import { createLedger, type Ledger, type LedgerTables } from "./ledger/index.ts";
import { createMails, type Mails, type MailsTables } from "./mails/index.ts";
import { createMarketData, type MarketData, type MarketDataTables } from "./market-data/index.ts";
import { createOracle, createRoundMemory, type Oracle, type OracleTables, type RoundMemory } from "./oracle/index.ts";
import { createOrchestra, type Orchestra, type OrchestraTables } from "./orchestra/index.ts";
import { createPortfolio, type PortfolioService, type PortfolioTables } from "./portfolio/index.ts";
import { noPorts, type CreatePorts, type OutsidePorts } from "./ports/index.ts";
import {
  createRequestLogService,
  usualRequestLogDays,
  type RequestLogService,
  type RequestLogTables,
} from "./request-log/index.ts";
import { runDueWork } from "./run-due-work.ts";
import { handlerOf, runWorkItem, type WorkContext, type WorkHandlers } from "./run-work-item.ts";
import { workHandlers } from "./work-handlers.ts";
import { createWork, moveWorkItems, type WorkItem, type WorkService, type WorkTables } from "./work/index.ts";

/** All tables. Only this file and tests know them together: a service is given its own. */
export type Schema = AccountsTables &
  AuditTables &
  AuthTables &
  ConsoleTables &
  CustodyTables &
  DeploymentTables &
  EventsTables &
  ExecutionTables &
  FollowingTables &
  GatewayTables &
  IdentityTables &
  LedgerTables &
  MailsTables &
  MarketDataTables &
  OracleTables &
  OrchestraTables &
  PortfolioTables &
  RequestLogTables &
  WorkTables;

export type PlatformDatabase = Database<Schema>;

export type PlatformDeps = {
  clock: Clock;
  cipher: Cipher;
  cursors: CursorCodec;
  livemode: boolean;
  /** Needed by processes that record events or register webhooks. */
  eventRules?: EventRules;
  /** Who does what no transaction says otherwise of; the platform itself unless given. */
  origin?: AuditOrigin;
  /** Of the product unless given. */
  factRoutes?: FactRoutes;
  /** Of the product unless given. */
  workHandlers?: WorkHandlers;
  /** Needed by processes that ask the outside for something: without it there is none. */
  createPorts?: CreatePorts;
  /** For how many days requests are kept; see `usualRequestLogDays`. */
  requestLogDays?: number;
  /** Of our programs, as browsers know them; see `refuseAddresses`. Needed by processes that register applications. */
  ownOrigins?: readonly string[];
  /** Told of each round of a price feed that could not be decided, for a metric. */
  onUndecidedRound?: (symbol: string) => void;
};

/** The business, service by service. */
export type Services = {
  accounts: Accounts;
  audit: Audit;
  auth: Auth;
  custody: Custody;
  events: Events;
  execution: Execution;
  gateway: GatewayService;
  identity: Identity;
  ledger: Ledger;
  mails: Mails;
  marketData: MarketData;
  oracle: Oracle;
  orchestra: Orchestra;
  portfolio: PortfolioService;
  requestLog: RequestLogService;
  work: WorkService;
};

export type ServiceName = keyof Services;

/** Which services each may call beside itself; so may its operations. What is absent is forbidden. */
export const mayCall = {
  audit: [],
  mails: [],
  requestLog: [],
  work: ["audit"],
  auth: ["audit", "mails"],
  accounts: ["audit", "auth", "mails"],
  events: ["accounts", "audit", "mails"],
  gateway: ["audit"],
  identity: ["audit", "events", "work"],
  ledger: ["audit", "events"],
  marketData: ["audit"],
  oracle: ["audit", "marketData"],
  orchestra: ["audit", "events", "identity", "ledger", "work"],
  custody: ["accounts", "audit", "events", "ledger", "work"],
  execution: ["audit", "events", "ledger", "marketData", "work"],
  portfolio: ["audit", "ledger", "oracle", "work"],
} as const satisfies Record<ServiceName, readonly ServiceName[]>;

/** What an operation of a service is given. */
export type ServicesOf<Name extends ServiceName> = Pick<
  Services,
  Name | Extract<CalledBy<Name> | CalledByOperations<Name>, ServiceName>
>;

/**
 * Nothing calls an operation, so what these call beside makes no circle: what a removed person made ends in two services, owners are told, and
 * orders that rest are planned anew when their prices are changed.
 */
type OperationsMayCall = {
  accounts: "events";
  custody: "auth" | "mails";
  gateway: "events" | "requestLog";
  marketData: "execution";
};

type CalledByOperations<Name> = Name extends keyof OperationsMayCall ? OperationsMayCall[Name] : never;

/** A service without a row in the table is one error, there. */
type CalledBy<Name> = Name extends keyof typeof mayCall ? (typeof mayCall)[Name][number] : never;

export interface Platform extends Services {
  /** The outside, as this deployment has it. */
  readonly ports: OutsidePorts;
  /** Who waits for what is recorded. */
  readonly following: Followers;
  /** What an item of work is run with: in the sandbox the clock of its account stands at the item's time meanwhile. */
  workContext(item: Pick<WorkItem, "accountId" | "firesAt">): WorkContext;
  /** The same, for what this one does. */
  from(origin: AuditOrigin): Platform;
  /**
   * Runs `work` with services that all write in one transaction: committed when it resolves, rolled back when it throws. With `emits`
   * no other event may be recorded in it, whichever noun does so; `origin` is who does all of it.
   */
  transaction<Result>(
    work: (services: Services) => Promise<Result>,
    options?: { emits?: EmitLimit; origin?: AuditOrigin },
  ): Promise<Result>;
}

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
  const own = { ...deps, emits: null, stoppedClock: null, onArm: () => {} };
  const { services, ports } = createServices(database.kysely, own);
  return {
    ...services,
    ...workContextOf(database.kysely, deps, null),
    ports,
    following: createFollowing(database.kysely.$pickTables<keyof FollowingTables>()),
    workContext: ({ accountId, firesAt }) =>
      workContextOf(database.kysely, deps, deps.livemode ? null : { accountId, nowMs: firesAt.getTime() }),
    from: (origin) => platformFrom(database, { ...deps, origin }),
  };
}

/** Within an open transaction all of it is of that one. */
function workContextOf(
  db: Kysely<Schema>,
  common: CommonDeps,
  stoppedClock: StoppedClock | null,
  onArm: (firesAt: Date) => void = () => {},
): WorkContext {
  const deps = { ...common, stoppedClock, onArm };
  const { services, ports } = createServices(db, { ...deps, emits: null });
  return {
    ports,
    portfolio: services.portfolio,
    transaction: (work, { emits = null, origin = deps.origin } = {}) =>
      transaction(db, (trx) => work(createServices(trx, { ...deps, emits, origin }).services)),
  };
}

/** Nobody's service is asked in a transaction: in that of an advance what needs it fails, and is left to the worker. */
function portsIn(db: Kysely<Schema>, ports: OutsidePorts): OutsidePorts {
  const refuse = async (): Promise<never> => {
    throw new Error("A service that is somebody else's is asked in no transaction.");
  };
  return db.isTransaction
    ? {
        ...ports,
        ...(ports.verifications && { verifications: { read: refuse } }),
        ...(ports.market && { market: { findInstrument: refuse, findQuoteTime: refuse } }),
        ...(ports.prices && { prices: { listAt: refuse } }),
      }
    : ports;
}

type CommonDeps = Required<PlatformDeps> &
  Pick<PlatformDatabase, "administer"> & { createId: CreateId; roundMemory: RoundMemory };

type ServiceDeps = CommonDeps & {
  emits: EmitLimit | null;
  stoppedClock: StoppedClock | null;
  onArm(firesAt: Date): void;
};

function createServices(db: Kysely<Schema>, deps: ServiceDeps): { services: Services; ports: OutsidePorts } {
  const mails = createMails(db.$pickTables<keyof MailsTables>(), deps);
  const audit = createAudit(db.$pickTables<keyof AuditTables>(), deps);
  const audited = { ...deps, recordAudit: audit.recordIn, auditBeside: audit.beside };
  const auth = createAuth(db.$pickTables<keyof AuthTables>(), { ...audited, livingGrants, listPlaces });
  const accounts = createAccounts(db.$pickTables<keyof AccountsTables>(), {
    ...audited,
    findUserNames: auth.users.findNames,
  });
  const { accountNow, accountTime, clockAhead, behindMs } = createAccountClock(deps);
  const events = createEvents(db.$pickTables<keyof EventsTables>(), { ...audited, accountNow, accountTime, behindMs });
  const ledger = createLedger(db.$pickTables<keyof LedgerTables>(), {
    ...audited,
    accountTime,
    recordEvent: events.recordIn,
    tellEvents: events.tellIn,
  });
  const work = createWork(db.$pickTables<keyof WorkTables>(), {
    ...audited,
    accountTime,
    clockAhead,
    subjectOf: (port, content) => routeOf(deps.factRoutes, port).subjectOf(content),
    apply: (fact) => routeOf(deps.factRoutes, fact.port).apply(services, fact),
  });
  const outside = deps.createPorts(work.plannedFacts.plan, {
    book: (asked) => marketData.prices.tradable(asked),
    booksAhead: (asked) => marketData.prices.booksAhead(asked),
    changedAt: (asked) => marketData.prices.changedAt(asked),
  });
  const ports = portsIn(db, outside);
  // What else comes to wait for the time of its account adds its mover here.
  const movers = [moveDeliveries, moveWorkItems];
  const runDue = createRunDue(db, deps, work);
  const gateway = createGatewayService(db.$pickTables<keyof GatewayTables>(), { ...audited, movers, runDue });
  const custody = createCustody(db.$pickTables<keyof CustodyTables>(), {
    ...audited,
    accounts,
    accountTime,
    ledger,
    ports,
    recordEvent: events.recordIn,
    work,
  });
  const identity = createIdentity(db.$pickTables<keyof IdentityTables>(), {
    ...audited,
    accountTime,
    ports,
    recordEvent: events.recordIn,
    work,
  });
  const marketData = createMarketData(db.$pickTables<keyof MarketDataTables>(), {
    ...audited,
    accountNow,
    accountTime,
    ports,
  });
  const oracle = createOracle(db.$pickTables<keyof OracleTables>(), {
    ...audited,
    marketData,
    onUndecided: deps.onUndecidedRound,
  });
  const execution = createExecution(db.$pickTables<keyof ExecutionTables>(), {
    ...audited,
    accountTime,
    ledger,
    marketData,
    ports,
    recordEvent: events.recordIn,
    work,
  });
  const orchestra = createOrchestra(db.$pickTables<keyof OrchestraTables>(), {
    ...audited,
    accountTime,
    identity,
    ledger,
    ports,
    recordEvent: events.recordIn,
    work,
  });
  const portfolio = createPortfolio(db.$pickTables<keyof PortfolioTables>(), {
    ...audited,
    accountNow,
    accountTime,
    ledger,
    oracle,
    ports,
    queue: work.queue,
  });
  const requestLog = createRequestLogService(db.$pickTables<keyof RequestLogTables>(), deps);
  const services: Services = {
    accounts,
    audit,
    auth,
    custody,
    events,
    execution,
    gateway,
    identity,
    ledger,
    mails,
    marketData,
    oracle,
    orchestra,
    portfolio,
    requestLog,
    work,
  };
  return { services, ports };
}

/** In the transaction of an advance, of nobody's but the platform's own doing. */
function createRunDue(db: Kysely<Schema>, deps: ServiceDeps, work: WorkService): RunDue {
  return ({ accountId, aheadMs, limit }) => {
    const run = (item: WorkItem, onArm: (firesAt: Date) => void) => {
      const stoppedClock = { accountId, nowMs: item.firesAt.getTime(), aheadMs };
      const context = workContextOf(db, { ...deps, origin: systemOrigin }, stoppedClock, onArm);
      return runWorkItem(context, handlerOf(item, deps.workHandlers), item);
    };
    const now = new Date(deps.clock.now() + aheadMs);
    return runDueWork({ trx: db, work, run }, { accountId, limit, now });
  };
}
