import { createCipher, createTypeId, startOfIds } from "@gateway/kernel";
import { createWebhookSecret, sealWebhookSecret } from "@gateway/platform/events";
import pg from "pg";
import type { BenchDatabase } from "./installation.ts";
import { readServerPid } from "./process-cpu.ts";

export type BenchWebhook = { id: string; accountId: string };

type DueOptions = {
  webhooks: readonly BenchWebhook[];
  /** The number of deliveries of all webhooks together, distributed in turn. Each delivery has an event of its own. */
  count: number;
};

/**
 * Webhooks, events and deliveries of a measure, written directly into the database. Data of the previous measure is
 * removed first.
 */
export interface WebhookData {
  client: pg.Client;
  /** Creates `perAccount` webhooks in each new account. */
  createWebhooks(options: { accounts: number; perAccount: number; url: string }): Promise<BenchWebhook[]>;
  /** Inserts deliveries that are due now, in one commit. */
  insertDue(options: DueOptions): Promise<void>;
  /** Inserts them without the commit. */
  prepareDue(options: DueOptions): Promise<void>;
  commit(): Promise<void>;
  /**
   * Inserts one event with one delivery, due now. The time is just before the commit, in ms since 1970 with fractions.
   */
  commitOne(webhook: BenchWebhook): Promise<{ eventId: string; committedAtMs: number }>;
  hasPending(): Promise<boolean>;
  countPending(): Promise<number>;
  /** The process id of the server's first process, the parent of all others. */
  readServerPid(): Promise<number>;
  /** Removes all webhooks and events, and everything that belongs to them. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function openWebhookData(database: BenchDatabase): Promise<WebhookData> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(clearAll);
  // Deliveries older than 30 days would not be sent.
  const time = startOfIds("", Date.now()).slice(1);
  let last = 0;
  const insertDue = async ({ webhooks, count }: DueOptions): Promise<void> => {
    const ids = webhooks.map(({ id }) => id);
    const accountIds = webhooks.map(({ accountId }) => accountId);
    await client.query(insertDeliveries, [ids, accountIds, last + 1, last + count, eventBody("NUMBER"), time]);
    last += count;
  };
  return {
    client,
    insertDue,
    prepareDue: async (options) => {
      await client.query("begin");
      await insertDue(options);
    },
    commit: async () => {
      await client.query("commit");
    },
    createWebhooks: async (options) => {
      const created: BenchWebhook[] = [];
      for (let account = 0; account < options.accounts; account += 1) {
        const { accountId } = await database.createAccount();
        for (let index = 0; index < options.perAccount; index += 1) {
          created.push(await createWebhook(client, database, { accountId, url: options.url }));
        }
      }
      return created;
    },
    commitOne: async (webhook) => {
      await client.query("begin");
      await insertDue({ webhooks: [webhook], count: 1 });
      const committedAtMs = performance.timeOrigin + performance.now();
      await client.query("commit");
      return { eventId: eventId(time + String(last).padStart(16, "0")), committedAtMs };
    },
    hasPending: async () => {
      const { rows } = await client.query<{ found: boolean }>(
        "select exists (select from pending_deliveries) as found",
      );
      return rows[0]?.found ?? false;
    },
    countPending: async () => {
      const { rows } = await client.query<{ count: number }>("select count(*)::int as count from pending_deliveries");
      return rows[0]?.count ?? 0;
    },
    readServerPid: () => readServerPid(client),
    clear: async () => {
      await client.query(clearAll);
    },
    close: () => client.end(),
  };
}

const clearAll =
  "truncate webhooks, webhook_queues, webhook_hours, events, pending_deliveries, deliveries, delivery_attempts, mails";

const insertDeliveries = `
  with numbers as (
    select $6 || lpad(number::text, 16, '0') as number, 1 + number % cardinality($1::text[]) as turn
    from generate_series($3::int, $4::int) as number
  ),
  stored as (
    insert into events (id, account_id, type, body, created_at)
    select 'evt_' || number, ($2::text[])[turn], 'wallet.created', replace($5::text, 'NUMBER', number), now() from numbers
  )
  insert into pending_deliveries
    (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
  select ($2::text[])[turn], 'dlv_' || number, ($1::text[])[turn], 'evt_' || number, 0, 0, now(), now()
  from numbers`;

function eventId(number: string): string {
  return `evt_${number}`;
}

/** The body as the gateway writes it for a new wallet. It has the same length for every number of 26 digits. */
export function eventBody(number: string): string {
  return JSON.stringify({
    id: eventId(number),
    type: "wallet.created",
    created: "2026-01-02T03:04:05.678Z",
    livemode: true,
    data: {
      object: {
        id: "wal_01k00000000000000000000000",
        name: "Travel expenses of the Berlin office",
        currency: "EUR",
        status: "active",
        balance: { available: 1_234_567, pending: 1000, held: 0 },
        metadata: { team: "payments", costCentre: "C17" },
        createdAt: "2026-01-02T03:04:05.678Z",
      },
    },
  });
}

/** Inserts the webhook directly, because the gateway would resolve its host. */
export async function createWebhook(
  client: Pick<pg.Client, "query">,
  database: BenchDatabase,
  { accountId, url, events = ["wallet.created"] }: { accountId: string; url: string; events?: readonly string[] },
): Promise<BenchWebhook> {
  const id = createTypeId("whk");
  const secret = sealWebhookSecret(createCipher([database.encryptionKey]), id, createWebhookSecret());
  await client.query(
    `insert into webhooks (id, account_id, url, events, status, secret, created_at)
     values ($1, $2, $3, $4, 'enabled', $5, now())`,
    [id, accountId, url, events, secret],
  );
  return { id, accountId };
}
