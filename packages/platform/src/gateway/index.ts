import type { Kysely } from "kysely";
import { createSandboxClocks, type SandboxClockDeps, type SandboxClocks } from "./sandbox-clock.ts";
import type { GatewayTables } from "./tables.ts";

export { presentSandboxClock } from "./present-sandbox-clock.ts";
export { createAccountClock } from "./account-clock.ts";
export { mostAheadMs } from "./sandbox-clock.ts";
export type { SandboxClock } from "./sandbox-clock.ts";
export type { GatewayTables } from "./tables.ts";

export type GatewayService = { sandboxClocks: SandboxClocks };

export function createGatewayService(db: Kysely<GatewayTables>, deps: SandboxClockDeps): GatewayService {
  return { sandboxClocks: createSandboxClocks(db, deps) };
}
