import type { Migration } from "kysely/migration";
import { database } from "./migrations/0001-database.ts";
import { auth } from "./migrations/0002-auth.ts";
import { accounts } from "./migrations/0003-accounts.ts";
import { gateway } from "./migrations/0004-gateway.ts";
import { consoleSessions } from "./migrations/0005-console.ts";
import { audit } from "./migrations/0006-audit.ts";
import { events } from "./migrations/0007-events.ts";
import { mails } from "./migrations/0008-mails.ts";
import { ledger } from "./migrations/0009-ledger.ts";
import { work } from "./migrations/0010-work.ts";
import { orchestra } from "./migrations/0011-orchestra.ts";
import { identity } from "./migrations/0012-identity.ts";
import { custody } from "./migrations/0013-custody.ts";
import { marketData } from "./migrations/0014-market-data.ts";
import { oracle } from "./migrations/0015-oracle.ts";
import { execution } from "./migrations/0016-execution.ts";
import { portfolio } from "./migrations/0017-portfolio.ts";
import { requestLog } from "./migrations/0018-request-log.ts";
import { readings } from "./migrations/0019-readings.ts";

export { describeOldDatabase } from "./old-database.ts";

/**
 * Every migration by name, in order. Append only (ADR 83): a released one is never edited, renamed or removed, and each
 * must leave the tables usable by the release before it.
 */
export const migrations: Record<string, Migration> = {
  "0001_database": database,
  "0002_auth": auth,
  "0003_accounts": accounts,
  "0004_gateway": gateway,
  "0005_console": consoleSessions,
  "0006_audit": audit,
  "0007_events": events,
  "0008_mails": mails,
  "0009_ledger": ledger,
  "0010_work": work,
  "0011_orchestra": orchestra,
  "0012_identity": identity,
  "0013_custody": custody,
  "0014_market_data": marketData,
  "0015_oracle": oracle,
  "0016_execution": execution,
  "0017_portfolio": portfolio,
  "0018_request_log": requestLog,
  "0019_readings": readings,
};
