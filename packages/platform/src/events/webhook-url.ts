import { setTimeout as delay } from "node:timers/promises";
import { hostOf } from "@gateway/engine/public-host";
import { findUrlProblem, resolveHost, type EgressRules, type LookupAddresses } from "./egress.ts";

/**
 * A registration holds a transaction open, so it does not wait for a slow name server. Every attempt resolves again.
 */
const lookupTimeoutMs = 500;

/**
 * Judges a URL at registration. A name that does not resolve in time is accepted, because each attempt judges it again.
 */
export function createWebhookUrlCheck(
  rules: EgressRules & { lookup: LookupAddresses },
): (url: string) => Promise<string | null> {
  return async (url) => {
    const problem = findUrlProblem(url, rules);
    if (problem !== null) {
      return problem;
    }
    const giveUp = new AbortController();
    const late = delay(lookupTimeoutMs, { kind: "unresolved" } as const, { signal: giveUp.signal }).catch(() => null);
    const resolution = await Promise.race([resolveHost(hostOf(new URL(url)), rules), late]);
    giveUp.abort();
    return resolution?.kind === "blocked" ? "must not lead to a private, local or reserved address" : null;
  };
}
