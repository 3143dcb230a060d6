import type { Immutable } from "@gateway/database";

export type GatewayTables = {
  sandbox_clocks: SandboxClocksTable;
};

/** Accounts whose clock was ever moved. Empty in production. */
type SandboxClocksTable = {
  account_id: Immutable<string>;
  /** Ahead of the real time; only grows. */
  offset_ms: number;
};
