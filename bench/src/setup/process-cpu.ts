import { readFileSync } from "node:fs";
import type pg from "pg";

/**
 * Positions of the processor times in `/proc/<pid>/stat` (proc(5)), in hundredths of a second. They count from the
 * third field, which follows the name.
 */
const [userAt, systemAt, endedUserAt, endedSystemAt] = [11, 12, 13, 14] as const;
const microsOfTick = 10_000;

/**
 * µs of processor time of a process and its children so far, including children that ended. Postgres has one process
 * for each connection. NaN on a machine without `/proc`.
 */
export function readProcessCpu(pid: number): number {
  const ticks = [pid, ...childrenOf(pid)].map((id) => ticksOf(id, { withEnded: id === pid }));
  return ticks.reduce((sum, value) => sum + value, 0) * microsOfTick;
}

/** The process id of the first process of Postgres, the parent of all others. */
export async function readServerPid(client: Pick<pg.Client, "query">): Promise<number> {
  const { rows } = await client.query<{ file: string }>("select pg_read_file('postmaster.pid') as file");
  return Number.parseInt(rows[0]?.file ?? "", 10);
}

function childrenOf(pid: number): number[] {
  return (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter(Boolean).map(Number);
}

function ticksOf(pid: number, { withEnded }: { withEnded: boolean }): number {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) {
    // A child that ended meanwhile is counted with its parent the next time.
    return withEnded ? Number.NaN : 0;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const places = withEnded ? [userAt, systemAt, endedUserAt, endedSystemAt] : [userAt, systemAt];
  return places.reduce((sum, place) => sum + Number(fields[place]), 0);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
