import { eventTypes, type EventType } from "@gateway/contract";
import { createEventRules } from "@gateway/platform/events";
import { createTestFolder } from "@gateway/testkit";
import { verifyWebhook } from "@gateway/webhooks";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { createTestAuthority } from "../../apps/dispatcher/test/support/certificates.ts";
import { startReceiver } from "../../apps/dispatcher/test/support/receiver.ts";
import { createCaller, startLocal, type LocalSystem } from "./local-system.ts";

/** An event, with the fields that tests read. */
export type Arrived = { id: string; type: string; data: { object: Resource } };
export type Resource = { id: string; status?: string; approvalId?: string | null; walletId?: string; version?: number };

/** `npm start`, an account in it, and a receiver of all its events. */
export type WatchedSystem = {
  system: LocalSystem;
  /** Calls the API with the account's key. An error fails the test. */
  post<Data = Resource>(path: string, body?: object): Promise<Data>;
  get<Data = Resource>(path: string): Promise<Data>;
  /** Advances the account's clock. */
  advance(seconds: number): Promise<unknown>;
  /** Lists all existing events. */
  listEvents(): Promise<{ id: string }[]>;
  /**
   * The received events, each once, however often it arrived. Throws when one is not authentic or does not match its
   * type in the document.
   */
  readArrived(): Promise<Arrived[]>;
  /** The number of different events that arrived. */
  countArrived(): number;
  stop(): Promise<void>;
};

const { checkEvent } = createEventRules({ webhookAllowedHosts: [] });

export async function startWatchedSystem(env: Readonly<Record<string, string>> = {}): Promise<WatchedSystem> {
  const dataDir = await createTestFolder();
  const authority = await createTestAuthority();
  const receiver = await startReceiver(await authority.issue());
  await writeFile(join(dataDir, "ca.pem"), authority.certificate);
  const system = await startLocal({
    dataDir,
    env: { WEBHOOK_ALLOWED_HOSTS: "localhost", WEBHOOK_EXTRA_CA: join(dataDir, "ca.pem"), ...env },
  });
  const { key } = await createCaller(system.env, "admin");
  const call = async <Answer>(path: string, options: RequestInit = {}): Promise<Answer> => {
    const headers = { "X-API-Key": key, ...(options.body && { "Content-Type": "application/json" }) };
    const response = await fetch(`${system.api}/api/v1/${path}`, { ...options, headers });
    const answer = (await response.json()) as Answer & { error?: unknown };
    expect(answer.error, `${options.method ?? "GET"} ${path}`).toBeUndefined();
    return answer;
  };
  const post = async <Data = Resource>(path: string, body?: object): Promise<Data> =>
    (await call<{ data: Data }>(path, { method: "POST", ...(body && { body: JSON.stringify(body) }) })).data;
  const { secret } = await post<{ secret: string }>("webhooks", { url: receiver.url, events: eventTypes });
  return {
    system,
    post,
    get: async <Data = Resource>(path: string) => (await call<{ data: Data }>(path)).data,
    advance: (seconds) => post("sandbox/clock/advance", { seconds }),
    listEvents: async () => {
      const events: { id: string }[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
        const { data, meta } = await call<{ data: { id: string }[]; meta: { nextCursor: string | null } }>(
          `events?limit=100${query}`,
        );
        events.push(...data);
        cursor = meta.nextCursor;
      }
      return events;
    },
    readArrived: async () => {
      const arrived = new Map<string, Arrived>();
      for (const { body, signature, id } of receiver.received) {
        const event = (await verifyWebhook(body, signature, secret)) as Arrived;
        checkEvent(event.type as EventType, event);
        arrived.set(id, event);
      }
      return [...arrived.values()];
    },
    countArrived: () => new Set(receiver.received.map(({ id }) => id)).size,
    stop: async () => {
      await system.program.destroy();
      await receiver.close();
    },
  };
}

/** The versions of each wallet's changes, in the order of their numbers. */
export function versionsOfWallets(arrived: readonly Arrived[]): number[][] {
  const changes = arrived.flatMap(({ type, data }) => (type === "wallet.balance_changed" ? [data.object] : []));
  const byWallet = Map.groupBy(changes, ({ walletId }) => walletId);
  return Array.from(byWallet.values(), (ofWallet) =>
    ofWallet.map(({ version = 0 }) => version).toSorted((one, other) => one - other),
  );
}
