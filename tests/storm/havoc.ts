import { setTimeout as delay } from "node:timers/promises";
import type { CrashablePostgres } from "./crashable-postgres.ts";
import type { Programs } from "./programs.ts";
import type { Random } from "./random.ts";

export type HavocPlan = {
  kills: number;
  restarts: number;
  /** All of it happens in this time. */
  stormMs: number;
  random: Random;
};

/** `place`: from 0 to 1, which process of the group is killed. */
export type Stroke =
  | { atMs: number; kind: "kill"; group: number; place: number }
  | { atMs: number; kind: "crash"; signal: "SIGKILL" | "SIGQUIT"; downMs: number };

export type HavocOptions = HavocPlan & {
  /** Groups of processes; each is struck in turn. */
  victims: readonly Pick<Programs, "killOne">[];
  postgres: CrashablePostgres;
  print(line: string): void;
  signal?: AbortSignal;
};

/** The kills and crashes of a storm in the order of their times. The same seed makes the same plan. */
export function planHavoc({ kills, restarts, stormMs, random, groups }: HavocPlan & { groups: number }): Stroke[] {
  const numbers = random.stream("havoc");
  const killed = Array.from({ length: kills }, (_, index): Stroke => {
    const atMs = numbers.between(0, stormMs);
    return { atMs, kind: "kill", group: index % groups, place: numbers.fraction() };
  });
  const crashed = Array.from({ length: restarts }, (_, index): Stroke => {
    const atMs = numbers.between(0, stormMs);
    return { atMs, kind: "crash", signal: index % 2 === 0 ? "SIGKILL" : "SIGQUIT", downMs: numbers.between(0, 2_000) };
  });
  return [...killed, ...crashed].sort((left, right) => left.atMs - right.atMs);
}

/** Carries the plan out. A stroke comes later than planned where its victim is not yet back. */
export async function wreakHavoc(options: HavocOptions): Promise<void> {
  const { victims, postgres, print, signal } = options;
  const startedAt = performance.now();
  for (const stroke of planHavoc({ ...options, groups: victims.length })) {
    await delay(Math.max(0, startedAt + stroke.atMs - performance.now()), null, { signal });
    if (stroke.kind === "kill") {
      await victims[stroke.group]?.killOne(stroke.place);
    } else {
      print(`${seconds(startedAt)} s: ${stroke.signal} to Postgres`);
      await postgres.crash(stroke.signal, stroke.downMs);
    }
  }
  print(`${seconds(startedAt)} s: ${options.kills} processes killed, Postgres restarted ${options.restarts} times`);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
