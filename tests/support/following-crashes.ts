import { migrate, openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, createTypeId, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { migrations } from "@gateway/schema";
import { createSimulatedPorts } from "@gateway/simulation";
import { patience } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { createRandom, type Random } from "../storm/random.ts";
import type { PostgresMachine, PostgresServer } from "./debian-postgres.ts";

export type FollowedCrashes = {
  /** Does something while the server runs, before the next crash. */
  meanwhile(work: (server: PostgresServer) => Promise<void>): Promise<void>;
  /**
   * Kills the server at a random moment while all writers are active and the follower reads. Continues with the server
   * that `next` makes of it.
   */
  crash(next: (killed: PostgresServer) => Promise<PostgresServer>): Promise<void>;
  /** Lets the follower read to the end. */
  finish(): Promise<FollowedEvents>;
  close(): Promise<void>;
};

/** Ids of events. */
export type FollowedEvents = {
  /** Events in the order in which the follower read them, one array for each server. */
  toldOf: string[][];
  /** Events that exist at the end. */
  kept: string[];
};

type World = { server: PostgresServer; database: PlatformDatabase; platform: Platform };

const accountId = createTypeId("acc");

/**
 * Starts an account with many writers, who commit late, in any order, and half of them without waiting for the disk. A
 * follower reads its events.
 */
export async function startFollowedCrashes(
  machine: PostgresMachine,
  { name, writers, seed }: { name: string; writers: number; seed: number },
): Promise<FollowedCrashes> {
  const random = createRandom(seed);
  const cipher = createCipher([randomBytes(32)]);
  const open = (server: PostgresServer): World => {
    const database = openDatabase<Schema>({ url: server.url, ...patience });
    const cursors = createCursorCodec(cipher.deriveKey("cursors"));
    const deps = { clock: systemClock, cipher, cursors, livemode: false, createPorts: createSimulatedPorts };
    return { server, database, platform: createPlatform(database, deps) };
  };
  const first = await machine.create(name, "max_connections = 200\n");
  await migrate(first.url, migrations);
  let world = open(first);
  let after: string | undefined;
  const toldOf: string[][] = [[]];
  const ask = async (): Promise<boolean> => {
    const limit = random.pick([1, 20, 100]) ?? 1;
    const page = await world.platform.events.follow({ accountId, limit, after });
    toldOf.at(-1)?.push(...page.items.map(({ id }) => id));
    after = page.after;
    return page.hasMore || page.items.length > 0;
  };
  return {
    meanwhile: (work) => work(world.server),
    crash: async (next) => {
      const { url } = world.server;
      const asyncShare = random.pick([0.5, 1, 1]) ?? 1;
      const writing = Array.from({ length: writers }, (_, index) =>
        write(url, random.stream(`${toldOf.length} ${index}`), asyncShare),
      );
      const enough = (toldOf.at(-1)?.length ?? 0) + random.between(100, 600);
      while ((toldOf.at(-1)?.length ?? 0) < enough) {
        await ask();
      }
      const asking = ask().catch(() => false);
      await world.server.kill();
      await Promise.all([...writing, asking]);
      await world.database.close();
      world = open(await next(world.server));
      toldOf.push([]);
      // Writes before the follower reads again. At this point a number that the server has forgotten would be assigned
      // again.
      await writeSome(world.server.url, random.stream(`begin ${toldOf.length}`));
    },
    finish: async () => {
      while (await ask()) {
        // Reads until no event is left.
      }
      const rows = await world.database.kysely.selectFrom("events").select("id").execute();
      return { toldOf, kept: rows.map(({ id }) => id) };
    },
    close: () => world.database.close(),
  };
}

async function writeSome(url: string, random: Random): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (let count = 0; count < 60; count += 1) {
    await begin(client, random, 0);
    await client.query("commit");
  }
  await client.end();
}

/**
 * Writes until the server is gone. One transaction is open while five others come and go. `asyncShare` is the share of
 * transactions that do not wait for the disk.
 */
async function write(url: string, random: Random, asyncShare: number): Promise<void> {
  const clients = [new pg.Client(url), new pg.Client(url)] as const;
  const [slow, quick] = clients;
  try {
    for (const client of clients) {
      client.on("error", () => {});
      await client.connect();
    }
    for (;;) {
      await begin(slow, random, asyncShare);
      for (let count = 0; count < 5; count += 1) {
        await begin(quick, random, asyncShare);
        await quick.query(random.fraction() < 0.1 ? "rollback" : "commit");
      }
      await slow.query("commit");
    }
  } catch {
    // The server was killed.
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function begin(client: pg.Client, random: Random, asyncShare: number): Promise<void> {
  await client.query("begin");
  await client.query(`set local synchronous_commit = ${random.fraction() < asyncShare ? "off" : "on"}`);
  const id = createTypeId("evt");
  const body = { id, type: "wallet.created", created: new Date().toISOString(), data: { object: {} }, livemode: false };
  await client.query(
    "insert into events (id, account_id, type, body, created_at) values ($1, $2, 'wallet.created', $3, now())",
    [id, accountId, JSON.stringify(body)],
  );
}
