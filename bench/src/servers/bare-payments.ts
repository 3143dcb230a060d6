import { createTypeIds, systemClock } from "@gateway/kernel";
import express from "express";
import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BarePaymentsOptions = { databaseUrl: string; accountId: string };

type Order = { walletId: string; amount: number; destination: { counterpartyId: string } };
type Balance = { available: number; pending: number; held: number };
type Held = { before: Balance; after: Balance; version: number };

const fee = 20;
const createId = createTypeIds(systemClock);

/**
 * A hand-written payment to a counterparty: one prepared statement for each table, in one transaction, from a pool as
 * large as the gateway's. It writes every row that the gateway writes, and checks only that the money exists.
 */
await serve(({ databaseUrl, accountId }: BarePaymentsOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const app = express();
  app.use(express.json());
  app.post("/api/v1/payments", async (req, res) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      // The bench sends no other bodies.
      const payment = await pay(client, accountId, req.body as Order);
      await client.query("commit");
      const meta = { requestId: createId("req"), timestamp: new Date().toISOString() };
      res.status(201).json({ data: payment, meta });
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  });
  return listenOnLoopback(app);
});

async function pay(client: pg.PoolClient, accountId: string, order: Order): Promise<object> {
  const now = new Date();
  const payment = paymentOf(order, now);
  const held = await hold(client, accountId, order);
  await client.query({
    name: "payment",
    text: `insert into payments (account_id, id, wallet_id, counterparty_id, amount, currency, rail, fee, status, metadata, created_at)
      values ($1, $2, $3, $4, $5, 'EUR', 'sepa', $6, 'initiated', '{}', $7)`,
    values: [accountId, payment.id, order.walletId, order.destination.counterpartyId, order.amount, fee, now],
  });
  const transactionId = await book(client, accountId, { payment, held, now });
  await tell(client, accountId, [
    { type: "payment.initiated", object: payment },
    { type: "wallet.balance_changed", object: changeOf(payment, { held, transactionId }) },
  ]);
  await client.query({
    name: "audit",
    text: `insert into audit_events (id, account_id, type, actor_type, actor_id, resource_id, request_id, changes, personal, personal_salt,
      personal_hash, created_at) values ($1, $2, 'payment.created', 'apiKey', $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [createId("aud"), accountId, createId("key"), payment.id, createId("req"), ...auditOf(payment), now],
  });
  await client.query({
    name: "timer",
    text: `insert into work_items (account_id, id, kind, subject_id, fires_at, due_at) values ($1, $2, 'payment.submit', $3, $4, $4)`,
    values: [accountId, createId("wki"), payment.id, new Date(now.getTime() + 5_000)],
  });
  return payment;
}

type Payment = ReturnType<typeof paymentOf>;

function paymentOf({ walletId, amount, destination }: Order, now: Date) {
  return {
    ...{ id: createId("pay"), walletId, amount, currency: "EUR", destination, rail: "sepa", fee },
    ...{
      status: "initiated",
      failureCode: null,
      failureReason: null,
      returnedAmount: 0,
      externalId: null,
      metadata: {},
    },
    ...{ submittedAt: null, settledAt: null, failedAt: null, createdAt: now.toISOString() },
  };
}

async function hold(client: pg.PoolClient, accountId: string, { walletId, amount }: Order): Promise<Held> {
  const sum = amount + fee;
  const { rows } = await client.query<Record<keyof Balance | "version", string>>({
    name: "hold",
    text: `update wallets set available = available - $3, held = held + $3, version = version + 1
      where account_id = $1 and id = $2 and status = 'active' and available >= $3 returning available, pending, held, version`,
    values: [accountId, walletId, sum],
  });
  const [row] = rows;
  if (!row) {
    throw new Error(`The wallet ${walletId} cannot pay ${sum}.`);
  }
  const after = { available: Number(row.available), pending: Number(row.pending), held: Number(row.held) };
  const before = { ...after, available: after.available + sum, held: after.held - sum };
  return { before, after, version: Number(row.version) };
}

type Booking = { payment: Payment; held: Held; now: Date };

async function book(
  client: pg.PoolClient,
  accountId: string,
  { payment, held: { after }, now }: Booking,
): Promise<string> {
  const id = createId("ltx");
  await client.query({
    name: "transaction",
    text: `insert into ledger_transactions (account_id, id, kind, cause_type, cause_id, created_at)
      values ($1, $2, 'hold', 'payment', $3, $4)`,
    values: [accountId, id, payment.id, now],
  });
  await client.query({
    name: "entries",
    text: `insert into ledger_entries (account_id, id, ledger_account_id, direction, amount, balance_after, created_at)
      values ($1, $2 || '_00', ledger_account_id($3, 'available'), 'debit', $4, $5, $7),
        ($1, $2 || '_01', ledger_account_id($3, 'held'), 'credit', $4, $6, $7)`,
    values: [accountId, id, payment.walletId, payment.amount + fee, after.available, after.held, now],
  });
  return id;
}

function changeOf(
  { id, walletId, currency, createdAt }: Payment,
  { held: { before, after, version }, transactionId }: { held: Held; transactionId: string },
): object {
  return {
    ...{ walletId, currency, balanceBefore: before, balanceAfter: after, version },
    ...{ cause: { type: "payment", id }, ledgerTransactionId: transactionId, changedAt: createdAt },
  };
}

async function tell(
  client: pg.PoolClient,
  accountId: string,
  happened: readonly { type: string; object: object }[],
): Promise<void> {
  const now = new Date();
  const ids = happened.map(() => createId("evt"));
  const types = happened.map(({ type }) => type);
  const bodies = happened.map(({ type, object }, index) =>
    JSON.stringify({ id: ids[index], type, created: now.toISOString(), livemode: true, data: { object } }),
  );
  await client.query({
    name: "events",
    text: `insert into events (id, account_id, type, body, created_at, is_test)
      select id, $1, type, body, $5, false from unnest($2::text[], $3::text[], $4::text[]) as input (id, type, body)`,
    values: [accountId, ids, types, bodies, now],
  });
  await client.query({
    name: "deliveries",
    text: `insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select $1, input.id, webhooks.id, event_id, 0, 0, now(), $5
      from unnest($2::text[], $3::text[], $4::text[]) as input (id, event_id, type)
      join webhooks on account_id = $1 and deleted_at is null and type = any(events)`,
    values: [accountId, ids.map(() => createId("dlv")), ids, types, now],
  });
}

/** The changes, and the caller's address with the salt and the digest that allow its deletion. */
function auditOf({ walletId, amount, currency, status }: Payment): unknown[] {
  const changes = Object.entries({ walletId, amount, currency, status });
  const personal = JSON.stringify({ clientAddress: "127.0.0.1", changes: [] });
  const salt = randomBytes(16);
  return [
    JSON.stringify(changes.map(([field, after]) => ({ field, before: null, after }))),
    ...[personal, salt, createHash("sha256").update(salt).update(personal).digest()],
  ];
}
