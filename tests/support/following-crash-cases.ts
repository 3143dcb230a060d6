import { waitFor } from "@gateway/testkit";
import type { PostgresMachine, PostgresServer } from "./debian-postgres.ts";
import { startFollowedCrashes, type FollowedEvents } from "./following-crashes.ts";

type Storm = { writers: number; seed: number };

/** Crashes the server several times and starts it again on the same files. */
export async function crashOften(
  machine: PostgresMachine,
  { crashes, ...storm }: Storm & { crashes: number },
): Promise<{ told: string[]; kept: string[] }> {
  const world = await startFollowedCrashes(machine, { name: "crashed", ...storm });
  for (let count = 0; count < crashes; count += 1) {
    await world.crash(() => machine.start("crashed"));
  }
  const { toldOf, kept } = await world.finish();
  await world.close();
  return { told: toldOf.flat(), kept };
}

/**
 * `missed` are events that exist at the end and never reached the follower. `repeated` are events that one server sent
 * twice. A later server may send an event again, because it does not know what an earlier one sent.
 */
export type Judged = { missed: string[]; repeated: string[]; kept: string[] };

function judge({ toldOf, kept }: FollowedEvents): Judged {
  const told = new Set(toldOf.flat());
  return {
    missed: kept.filter((id) => !told.has(id)),
    repeated: toldOf.flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index)),
    kept,
  };
}

/** Alternates between a standby that each commit waits for, and one that lags behind. */
export async function promoteOften(
  machine: PostgresMachine,
  { promotions, ...storm }: Storm & { promotions: number },
): Promise<Judged> {
  let primary: PostgresServer | null = null;
  const world = await startFollowedCrashes(machine, { name: "server-0", ...storm });
  for (let count = 1; count <= promotions; count += 1) {
    const name = `server-${count}`;
    await world.meanwhile(async (server) => {
      primary = await startStandby(machine, server, { name, isSynchronous: count % 2 === 0 });
    });
    await world.crash(async () => {
      const standby = primary;
      if (!standby) {
        throw new Error("No standby was started.");
      }
      await machine.run("psql", [
        "-c",
        "alter system reset synchronous_standby_names",
        "-c",
        "select pg_promote()",
        standby.ownerUrl,
      ]);
      return standby;
    });
  }
  const found = judge(await world.finish());
  await world.close();
  return found;
}

async function startStandby(
  machine: PostgresMachine,
  primary: PostgresServer,
  { name, isSynchronous }: { name: string; isSynchronous: boolean },
): Promise<PostgresServer> {
  await machine.copy(primary, name, "standby");
  const standby = await machine.start(name);
  await waitFor(async () => (await query(machine, primary, "select count(*) from pg_stat_replication")) === "1");
  if (isSynchronous) {
    await query(machine, primary, "alter system set synchronous_standby_names = '*'");
    await query(machine, primary, "select pg_reload_conf()");
  } else {
    // The standby receives nothing more. Writes after this point are lost with the primary.
    await query(machine, standby, "alter system set primary_conninfo = ''");
    await query(machine, standby, "select pg_reload_conf()");
  }
  return standby;
}

async function query(machine: PostgresMachine, server: PostgresServer, sql: string): Promise<string> {
  return (await machine.run("psql", ["-Atc", sql, server.ownerUrl])).trim();
}

/**
 * Makes the backup while all writers are active. It is started unchanged, with the identity of the server and in the
 * same line of its history.
 */
export async function restoreOnce(machine: PostgresMachine, storm: Storm): Promise<Judged> {
  const world = await startFollowedCrashes(machine, { name: "backed-up", ...storm });
  await world.crash(() => machine.start("backed-up"));
  await world.meanwhile((server) => machine.copy(server, "older", "backup"));
  await world.crash(() => machine.start("older"));
  await world.crash(() => machine.start("older"));
  const found = judge(await world.finish());
  await world.close();
  return found;
}
