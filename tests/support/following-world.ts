import { createClient } from "gateway-api-client";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase, findFreePort, waitFor } from "@gateway/testkit";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { readGatewayConfig } from "../../apps/gateway/src/config.ts";
import { startGateway, type RunningGateway } from "../../apps/gateway/src/start-gateway.ts";
import { encryptionKey, startTestGateway } from "../../apps/gateway/test/support/test-gateway.ts";

export type FollowingWorld = {
  url: string;
  /** Stops the gateway, if it runs, and starts it on the same port. */
  restart(): Promise<void>;
  /** Ids of the events that the follower read, in their order. */
  told: readonly string[];
  /** Reads the events after the first one as a new caller. */
  askAfterFirst(): Promise<string[]>;
  /** Opens a connection that writes events directly into the database. It is closed with the test. */
  openWriter(): Promise<EventWriter>;
  /** Verifies that the follower read every committed event once. Ends the follower. */
  expectAllOnce(): Promise<void>;
};

export type EventWriter = {
  run(statement: string): Promise<unknown>;
  /** Resolves to the id of the event. */
  insertEvent(): Promise<string>;
};

/** A gateway on a database of its own, an account with one event, and a follower of its events. */
export async function startFollowingWorld(): Promise<FollowingWorld> {
  const { url } = await createTestDatabase();
  const port = await findFreePort();
  const { accountId, key } = await createFirstEvent(url);
  let running: RunningGateway | null = null;
  const restart = async (): Promise<void> => {
    await running?.stop(2_000);
    running = await startOn({ url, port });
  };
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await running?.stop(2_000);
  });
  await restart();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { told, pages, ended } = follow({ baseUrl, key, stop });
  const openWriter = (): Promise<EventWriter> => openEventWriter({ url, accountId });
  return {
    ...{ url, restart, told, openWriter },
    askAfterFirst: async () => {
      const [after] = await waitFor(() => (pages.length > 0 ? pages : null));
      const answer = await fetch(`${baseUrl}/api/v1/events?after=${after}`, { headers: { "X-API-Key": key } });
      const { data } = (await answer.json()) as { data: { id: string }[] };
      return data.map(({ id }) => id);
    },
    expectAllOnce: async () => {
      const writer = await openWriter();
      // Any duplicate comes before this event.
      const last = await writer.insertEvent();
      await waitFor(() => told.includes(last), { timeoutMs: 120_000 });
      const rows = (await writer.run(`select id from events where account_id = '${accountId}'`)) as { id: string }[];
      expect(told.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      stop.abort();
      await expect(ended).rejects.toMatchObject({ name: "AbortError" });
    },
  };
}

function startOn({ url, port }: { url: string; port: number }): Promise<RunningGateway> {
  const config = readGatewayConfig({
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKey.toString("base64"),
    LOG_LEVEL: "error",
    GATEWAY_PORT: String(port),
  });
  return startGateway({ ...config, metricsPort: 0 });
}

/** Creates an account and its first event, of which the other events are copies. */
async function createFirstEvent(url: string): Promise<{ accountId: string; key: string }> {
  const gateway = await startTestGateway({ databaseUrl: url });
  const account = await gateway.createAccount();
  const key = (await gateway.createKey(account, "write")).secret;
  await gateway.call({ method: "POST", target: "/api/v1/wallets", key, body: { name: "One", currency: "EUR" } });
  await gateway.stop();
  return { accountId: account.id, key };
}

/** `pages` has the place behind each page with an event. */
function follow({ baseUrl, key, stop }: { baseUrl: string; key: string; stop: AbortController }) {
  const client = createClient({ baseUrl, apiKey: key });
  const told: string[] = [];
  const pages: string[] = [];
  const walk = async (): Promise<void> => {
    for await (const { data, meta } of client.events.follow({ signal: stop.signal }).pages()) {
      told.push(...data.map(({ id }) => id));
      pages.push(...(data.length > 0 && meta.after ? [meta.after] : []));
    }
  };
  return { told, pages, ended: walk() };
}

async function openEventWriter({ url, accountId }: { url: string; accountId: string }): Promise<EventWriter> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return {
    run: async (statement) => (await client.query<object>(statement)).rows,
    insertEvent: async () => {
      const id = createTypeId("evt");
      await client.query(
        `insert into events (id, account_id, type, body, created_at)
         select $1, account_id, type, replace(body, id, $1), created_at
         from (select * from events where account_id = $2 order by id limit 1) made`,
        [id, accountId],
      );
      return id;
    },
  };
}
