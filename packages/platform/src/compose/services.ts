import type { AccountClock, HeldClock, RunDue } from "@gateway/engine/account-time";
import type { CreateId } from "@gateway/engine/id";
import { createReadings, type Readings, type ReadingsTables, type Refreshed } from "@gateway/engine/readings";
import { createWork, moveWorkItems, type WorkTables } from "@gateway/engine/work";
import type { CreatePorts, OutsidePorts } from "@gateway/ports";
import type { Cipher, Clock, CursorCodec } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { createAccounts, livingGrants, listPlaces, type AccountsTables } from "../accounts/index.ts";
import { createAudit, type Audit, type AuditOrigin, type AuditTables } from "../audit/index.ts";
import { createAuth, type AuthTables } from "../auth/index.ts";
import { createCustody, type CustodyTables } from "../custody/index.ts";
import { createEvents, moveDeliveries, type EmitLimit, type EventRules, type EventsTables } from "../events/index.ts";
import { createExecution, type ExecutionTables } from "../execution/index.ts";
import { createAccountClock, createGatewayService, type GatewayTables } from "../gateway/index.ts";
import { createIdentity, type IdentityTables } from "../identity/index.ts";
import { createLedger, type LedgerTables } from "../ledger/index.ts";
import { createMails, type MailsTables } from "../mails/index.ts";
import { createMarketData, type MarketDataTables } from "../market-data/index.ts";
import { createOracle, pricesElsewhere, pricesHere, type OracleTables, type RoundMemory } from "../oracle/index.ts";
import { createOrchestra, type OrchestraTables } from "../orchestra/index.ts";
import { createPortfolio, type PortfolioTables } from "../portfolio/index.ts";
import { createRequestLogService, type RequestLogTables } from "../request-log/index.ts";
import { instrumentsElsewhere, verificationsElsewhere } from "./elsewhere.ts";
import { routeOf, type FactRoutes } from "./fact-route.ts";
import { lazily, type Makers } from "./lazily.ts";
import type { Services } from "./may-call.ts";
import type { PlatformHandlers } from "./run-work-item.ts";
import type { PlatformDatabase, Schema } from "./schema.ts";

export type PlatformDeps = {
  clock: Clock;
  cipher: Cipher;
  cursors: CursorCodec;
  livemode: boolean;
  /** Needed by processes that record events or register webhooks. */
  eventRules?: EventRules;
  /** The actor where a transaction names no other; the platform itself unless given. */
  origin?: AuditOrigin;
  factRoutes?: FactRoutes;
  workHandlers?: PlatformHandlers;
  /** Needed by processes that call external systems. Without it there are no ports. */
  createPorts?: CreatePorts;
  /** The number of days for which requests are kept; see `usualRequestLogDays`. */
  requestLogDays?: number;
  /**
   * Origins of our programs, as browsers know them; see `refuseAddresses`. Needed by processes that register
   * applications.
   */
  ownOrigins?: readonly string[];
  /** Called for each undecided round of a price feed, for a metric. */
  onUndecidedRound?: (symbol: string) => void;
};

export type CommonDeps = Required<PlatformDeps> &
  Pick<PlatformDatabase, "administer" | "transactionTimeoutMs"> & { createId: CreateId; roundMemory: RoundMemory };

export type ServiceDeps = CommonDeps & {
  emits: EmitLimit | null;
  /** The time and the failures of the reads that the transaction needed. */
  refreshed: Refreshed | null;
  /** The clock held by the transaction of these services, when it belongs to one account. */
  held: HeldClock | null;
  /** See `AccountClockDeps`. */
  stoppedAt: Date | null;
  onArm(firesAt: Date): void;
  /** Runs what an advance of the clock makes due, in its transaction. */
  runDueIn(db: Kysely<Schema>, deps: ServiceDeps): RunDue;
};

/** The services of one database or transaction, and their parts. */
export type Composed = Services & { ports: OutsidePorts; readings: Readings; told: Told };

/** The dependencies of a service that is audited and knows the time of accounts. */
type Told = ServiceDeps & AccountClock & { recordAudit: Audit["recordIn"]; auditBeside: Audit["beside"] };

type Part<Name extends keyof Composed> = Makers<Pick<Composed, Name>>;

/** Each service is made on first access, because an operation uses a few of the sixteen. */
export function createServices(db: Kysely<Schema>, deps: ServiceDeps): Composed {
  const composed: Composed = lazily<Composed>({
    ...supporting(db, deps, () => composed),
    ...timed(db, deps, () => composed),
    ...movingMoney(db, () => composed),
    ...trading(db, () => composed),
  });
  return composed;
}

/** Accounts and their users, and the records and notices about them. */
function supporting(
  db: Kysely<Schema>,
  deps: ServiceDeps,
  all: () => Composed,
): Part<"audit" | "mails" | "requestLog" | "told" | "auth" | "accounts" | "events"> {
  return {
    audit: () => createAudit(db.$pickTables<keyof AuditTables>(), deps),
    mails: () => createMails(db.$pickTables<keyof MailsTables>(), deps),
    requestLog: () => createRequestLogService(db.$pickTables<keyof RequestLogTables>(), deps),
    told: () => ({
      ...deps,
      ...createAccountClock(deps),
      recordAudit: all().audit.recordIn,
      auditBeside: all().audit.beside,
    }),
    auth: () => createAuth(db.$pickTables<keyof AuthTables>(), { ...all().told, livingGrants, listPlaces }),
    accounts: () => {
      const findUserNames = all().auth.users.findNames;
      return createAccounts(db.$pickTables<keyof AccountsTables>(), { ...all().told, findUserNames });
    },
    events: () => createEvents(db.$pickTables<keyof EventsTables>(), all().told),
  };
}

/** The clocks of accounts, the work that waits for them, and external systems. */
function timed(
  db: Kysely<Schema>,
  deps: ServiceDeps,
  all: () => Composed,
): Part<"work" | "gateway" | "ports" | "readings"> {
  return {
    readings: () => createReadings(db.$pickTables<keyof ReadingsTables>(), deps),
    work: () =>
      createWork(db.$pickTables<keyof WorkTables>(), {
        ...all().told,
        subjectOf: (port, content) => routeOf(deps.factRoutes, port).subjectOf(content),
        apply: (fact) => routeOf(deps.factRoutes, fact.port).apply(all(), fact),
      }),
    gateway: () =>
      createGatewayService(db.$pickTables<keyof GatewayTables>(), {
        ...all().told,
        // Other kinds of records that wait for the time of their account add their movers here.
        movers: [moveDeliveries, moveWorkItems],
        runDue: deps.runDueIn(db, deps),
      }),
    ports: () => {
      const { plan } = all().work.plannedFacts;
      return deps.createPorts(plan, {
        book: (asked) => all().marketData.prices.tradable(asked),
        booksAhead: (asked) => all().marketData.prices.booksAhead(asked),
        changedAt: (asked) => all().marketData.prices.changedAt(asked),
      });
    },
  };
}

function movingMoney(db: Kysely<Schema>, all: () => Composed): Part<"ledger" | "identity" | "orchestra" | "custody"> {
  return {
    ledger: () =>
      createLedger(db.$pickTables<keyof LedgerTables>(), {
        ...all().told,
        recorder: all().events.recorder,
      }),
    identity: () => {
      const { told, ports, work, events } = all();
      const called = { ports, work, recorder: events.recorder };
      return createIdentity(db.$pickTables<keyof IdentityTables>(), { ...told, ...called });
    },
    orchestra: () => {
      const { told, ports, work, events, ledger, readings } = all();
      const identity = ports.verifications ? { verifications: verificationsElsewhere(readings) } : all().identity;
      const called = { ports, work, identity, ledger, recorder: events.recorder };
      return createOrchestra(db.$pickTables<keyof OrchestraTables>(), { ...told, ...called });
    },
    custody: () => {
      const { told, ports, work, accounts, ledger, readings } = all();
      const called = { ports, work, accounts, ledger, readings };
      return createCustody(db.$pickTables<keyof CustodyTables>(), { ...told, ...called });
    },
  };
}

function trading(db: Kysely<Schema>, all: () => Composed): Part<"marketData" | "oracle" | "execution" | "portfolio"> {
  return {
    marketData: () => {
      const { told, ports } = all();
      return createMarketData(db.$pickTables<keyof MarketDataTables>(), { ...told, ports });
    },
    oracle: () => {
      const { told, marketData } = all();
      const onUndecided = told.onUndecidedRound;
      return createOracle(db.$pickTables<keyof OracleTables>(), { ...told, marketData, onUndecided });
    },
    execution: () => {
      const { told, ports, work, ledger, readings } = all();
      const instruments = ports.market ? instrumentsElsewhere(readings) : all().marketData.instruments;
      const called = { ports, work, ledger, instruments, readings };
      return createExecution(db.$pickTables<keyof ExecutionTables>(), { ...told, ...called });
    },
    portfolio: () => {
      const { told, ports, work, ledger, readings } = all();
      const prices = ports.prices
        ? pricesElsewhere(db.$pickTables<keyof OracleTables>(), { service: ports.prices, clock: told.clock })
        : pricesHere(all().oracle.prices);
      const called = { ledger, ...prices, readings, queue: work.queue };
      return createPortfolio(db.$pickTables<keyof PortfolioTables>(), { ...told, ...called });
    },
  };
}
