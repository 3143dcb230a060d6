import type { Database } from "@gateway/database";
import type { FollowingTables } from "@gateway/engine/following";
import type { ReadingsTables } from "@gateway/engine/readings";
import type { WorkTables } from "@gateway/engine/work";
import type { AccountsTables } from "../accounts/index.ts";
import type { AuditTables } from "../audit/index.ts";
import type { AuthTables } from "../auth/index.ts";
import type { ConsoleTables } from "../console/index.ts";
import type { CustodyTables } from "../custody/index.ts";
import type { EventsTables } from "../events/index.ts";
import type { ExecutionTables } from "../execution/index.ts";
import type { GatewayTables } from "../gateway/index.ts";
import type { IdentityTables } from "../identity/index.ts";
import type { LedgerTables } from "../ledger/index.ts";
import type { MailsTables } from "../mails/index.ts";
import type { MarketDataTables } from "../market-data/index.ts";
import type { OracleTables } from "../oracle/index.ts";
import type { OrchestraTables } from "../orchestra/index.ts";
import type { PortfolioTables } from "../portfolio/index.ts";
import type { RequestLogTables } from "../request-log/index.ts";
import type { DeploymentTables } from "./claim-deployment.ts";

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
  ReadingsTables &
  RequestLogTables &
  WorkTables;

export type PlatformDatabase = Database<Schema>;
