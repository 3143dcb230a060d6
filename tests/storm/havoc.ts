import { setTimeout as delay } from "node:timers/promises";
import type { CrashablePostgres } from "./crashable-postgres.ts";
import type { Dispatchers } from "./dispatchers.ts";
import type { Random } from "./random.ts";

export type HavocOptions = {
  kills: number;
  restarts: number;
  /** All of it happens in this time. */
  stormMs: number;
  random: Random;
  dispatchers: Dispatchers;
  postgres: CrashablePostgres;
  print(line: string): void;
  signal?: AbortSignal;
};

/** Kills and restarts at random moments, in the order of their times. */
export async function wreakHavoc(options: HavocOptions): Promise<void> {
  const { random, dispatchers, postgres, print, stormMs, signal } = options;
  const startedAt = performance.now();
  const moments = (count: number, kind: "kill" | "restart") =>
    Array.from({ length: count }, () => ({ kind, atMs: random.between(0, stormMs) }));
  const plan = [...moments(options.kills, "kill"), ...moments(options.restarts, "restart")];
  let restarts = 0;
  for (const { kind, atMs } of plan.sort((left, right) => left.atMs - right.atMs)) {
    await delay(Math.max(0, startedAt + atMs - performance.now()), null, { signal });
    if (kind === "kill") {
      await dispatchers.killOne();
    } else {
      const how = restarts % 2 === 0 ? "SIGKILL" : "SIGQUIT";
      restarts += 1;
      print(`${seconds(startedAt)} s: ${how} to Postgres`);
      await postgres.crash(how, random.between(0, 2_000));
    }
  }
  print(`${seconds(startedAt)} s: ${options.kills} dispatchers killed, Postgres restarted ${options.restarts} times`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
