import type { Schemas } from "@gateway/contract";
import type { SandboxClock } from "./sandbox-clock.ts";

export function presentSandboxClock({ nowMs, aheadMs }: SandboxClock): Schemas["SandboxClock"] {
  return { now: new Date(nowMs).toISOString(), aheadSeconds: aheadMs / 1000 };
}
