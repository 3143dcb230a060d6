import { setTimeout as delay } from "node:timers/promises";
import type { CrashablePostgres } from "./crashable-postgres.ts";
import type { Programs } from "./programs.ts";
import type { Random } from "./random.ts";

export type HavocOptions = {
  kills: number;
  restarts: number;
  /** All of it happens in this time. */
  stormMs: number;
  random: Random;
  /** One of each in turn. */
  victims: readonly Pick<Programs, "killOne">[];
  postgres: CrashablePostgres;
  print(line: string): void;
  signal?: AbortSignal;
};

/** Kills and restarts at random moments, in the order of their times. */
export async function wreakHavoc(options: HavocOptions): Promise<void> {
  const { random, victims, postgres, print, stormMs, signal } = options;
  const startedAt = performance.now();
  const moments = (count: number, kind: "kill" | "restart") =>
    Array.from({ length: count }, () => ({ kind, atMs: random.between(0, stormMs) }));
  const plan = [...moments(options.kills, "kill"), ...moments(options.restarts, "restart")];
  let kills = 0;
  let restarts = 0;
  for (const { kind, atMs } of plan.sort((left, right) => left.atMs - right.atMs)) {
    await delay(Math.max(0, startedAt + atMs - performance.now()), null, { signal });
    if (kind === "kill") {
      await victims[kills % victims.length]?.killOne();
      kills += 1;
    } else {
      const how = restarts % 2 === 0 ? "SIGKILL" : "SIGQUIT";
      restarts += 1;
      print(`${seconds(startedAt)} s: ${how} to Postgres`);
      await postgres.crash(how, random.between(0, 2_000));
    }
  }
  print(`${seconds(startedAt)} s: ${options.kills} processes killed, Postgres restarted ${options.restarts} times`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
