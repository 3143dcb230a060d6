import type { WorkService } from "@gateway/engine/work";
import type { Accounts } from "../accounts/index.ts";
import type { Audit } from "../audit/index.ts";
import type { Auth } from "../auth/index.ts";
import type { Custody } from "../custody/index.ts";
import type { Events } from "../events/index.ts";
import type { Execution } from "../execution/index.ts";
import type { GatewayService } from "../gateway/index.ts";
import type { Identity } from "../identity/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Mails } from "../mails/index.ts";
import type { MarketData } from "../market-data/index.ts";
import type { Oracle } from "../oracle/index.ts";
import type { Orchestra } from "../orchestra/index.ts";
import type { PortfolioService } from "../portfolio/index.ts";
import type { RequestLogService } from "../request-log/index.ts";

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

/**
 * The services that each service and its operations may call in addition to itself. A call that is absent is forbidden.
 */
export const mayCall = {
  audit: [],
  mails: [],
  requestLog: [],
  work: [],
  auth: ["audit"],
  accounts: ["audit", "auth", "mails"],
  events: ["accounts", "audit", "mails"],
  gateway: ["audit"],
  identity: ["audit", "events", "work"],
  ledger: ["audit", "events"],
  marketData: ["audit"],
  oracle: ["audit", "marketData"],
  orchestra: ["audit", "events", "identity", "ledger", "work"],
  custody: ["accounts", "audit", "ledger", "work"],
  execution: ["audit", "ledger", "marketData", "work"],
  portfolio: ["audit", "ledger", "oracle", "work"],
} as const satisfies Record<ServiceName, readonly ServiceName[]>;

/** The services that an operation of a service receives. */
export type ServicesOf<Name extends ServiceName> = Pick<
  Services,
  Name | Extract<CalledBy<Name> | CalledByOperations<Name>, ServiceName>
>;

/**
 * Services that operations may call in addition. Nothing calls an operation, so these calls make no cycle. They end a
 * removed person's records in two services, notify owners, and plan resting orders again when the sandbox changes their
 * prices.
 */
export const operationsMayCall = {
  accounts: ["events"],
  custody: ["auth", "mails"],
  gateway: ["events", "requestLog"],
  marketData: ["execution"],
} as const satisfies Partial<Record<ServiceName, readonly ServiceName[]>>;

type CalledByOperations<Name> = Name extends keyof typeof operationsMayCall
  ? (typeof operationsMayCall)[Name][number]
  : never;

/** A service without a row causes one type error, in the table. */
type CalledBy<Name> = Name extends keyof typeof mayCall ? (typeof mayCall)[Name][number] : never;
