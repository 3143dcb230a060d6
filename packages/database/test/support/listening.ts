import type { Schema } from "@gateway/platform/compose/schema";
import { waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { type Database, type Listener, openDatabase } from "../../src/index.ts";

export type Listening = {
  db: Database<Schema>;
  listener: Listener;
  /** `ready`, `lost` and each payload, in their order. */
  events: string[];
  notify(payload: string): Promise<unknown>;
  /** When the server began what the listener last asked for. */
  lastBeat(): Promise<string>;
  close(): Promise<void>;
};

/** A healthy listener on the channel `news`. Its handler throws at the payload `throw`. */
export async function openListening(url: string): Promise<Listening> {
  const events: string[] = [];
  const db = openDatabase<Schema>({ url });
  const listener = db.listen("news", {
    onNotification: (payload) => {
      if (payload === "throw") {
        throw new Error("the handler failed");
      }
      events.push(payload);
    },
    onReady: () => events.push("ready"),
    onLost: () => events.push("lost"),
  });
  await waitFor(() => listener.isHealthy());
  return {
    ...{ db, listener, events },
    notify: (payload) => sql`select pg_notify('news', ${payload})`.execute(db.kysely),
    lastBeat: async () => {
      const { rows } = await sql<{ begun: string }>`
        select query_start::text as begun from pg_stat_activity where application_name = 'gateway-heartbeat'
      `.execute(db.kysely);
      return rows[0]?.begun ?? "";
    },
    close: async () => {
      await listener.close();
      await db.close();
    },
  };
}
