import { createTypeIds, systemClock } from "@gateway/kernel";
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";

/** Wallets that an order trades between. */
export type Pair = { baseWalletId: string; quoteWalletId: string };

/** BTC for USD: 0.001 BTC at 50,000.00 cost 50.00, and 0.10 to who takes it at once. */
export const boughtOrder = { quantity: 100_000, limitPrice: "50000.00", notional: 5_000, fee: 10 } as const;

const { quantity, limitPrice, notional, fee } = boughtOrder;
const cost = notional + fee;
const createId = createTypeIds(systemClock);

type Balance = { available: number; pending: number; held: number };
type Moved = { id: string; version: number } & Balance;

/**
 * What one would write by hand for an order that is filled at once, knowing that it will be: every row that the product writes for it, one
 * prepared statement for each table, in one transaction. Nothing is checked but that the money is there.
 */
export async function buyBare(client: pg.PoolClient, accountId: string, pair: Pair): Promise<void> {
  const now = new Date();
  const ids = { order: createId("ord"), hold: createId("ltx"), fill: createId("ltx") };
  await client.query("begin");
  const { base, quote } = await moveMoney(client, accountId, pair);
  await client.query({
    name: "order",
    text: `insert into orders (account_id, id, symbol, base, quote, price_scale, side, type, quantity, limit_price, time_in_force, base_wallet_id,
      quote_wallet_id, status, filled_quantity, notional_sum, fee_sum, fee, hold, charged, closed_at, created_at)
      values ($1, $2, 'BTC-USD', 'BTC', 'USD', 2, 'buy', 'limit', $3, $4, 'gtc', $5, $6, 'filled', $3, $7, $8, $9, $10, $10, $11, $11)`,
    values: [
      ...[accountId, ids.order, quantity, limitPrice, pair.baseWalletId, pair.quoteWalletId],
      ...[quantity * 5_000_000, quantity * 5_000_000 * 20, fee, cost, now],
    ],
  });
  await client.query({
    name: "transactions",
    text: `insert into ledger_transactions (account_id, id, kind, cause_type, cause_id, created_at)
      values ($1, $2, 'hold', 'order', $4, $5), ($1, $3, 'fill', 'order', $4, $5)`,
    values: [accountId, ids.hold, ids.fill, ids.order, now],
  });
  await client.query({
    name: "entries",
    text: `insert into ledger_entries (account_id, id, ledger_account_id, direction, amount, balance_after, created_at) values
      ($1, $2 || '_00', ledger_account_id($4, 'available'), 'debit', $6, $9, $12),
      ($1, $2 || '_01', ledger_account_id($4, 'held'), 'credit', $6, $10 + $6, $12),
      ($1, $3 || '_00', ledger_account_id($4, 'held'), 'debit', $6, $10, $12),
      ($1, $3 || '_01', ledger_account_id($1, 'USD venue'), 'credit', $7, null, $12),
      ($1, $3 || '_02', ledger_account_id($1, 'USD fees'), 'credit', $8, null, $12),
      ($1, $3 || '_03', ledger_account_id($1, 'BTC venue'), 'debit', $13, null, $12),
      ($1, $3 || '_04', ledger_account_id($5, 'available'), 'credit', $13, $11, $12)`,
    values: [
      ...[accountId, ids.hold, ids.fill, quote.id, base.id, cost, notional, fee],
      ...[quote.available, quote.held, base.available, now, quantity],
    ],
  });
  await client.query({
    name: "fill",
    text: `insert into fills (account_id, id, order_id, venue_fill_id, quantity, price, notional, fee, liquidity, executed_at,
      ledger_transaction_id, created_at) values ($1, $2, $3, $3, $4, $5, $6, $7, 'taker', $8, $9, $8)`,
    values: [accountId, createId("fil"), ids.order, quantity, limitPrice, notional, fee, now, ids.fill],
  });
  await tell(client, accountId, { ids, moved: [quote, quote, base], now });
  await client.query({
    name: "fact",
    text: `insert into inbox_facts (account_id, id, port, fact_id, subject_id, fact, status, received_at)
      values ($1, $2, 'venue', $3, $3, $4, 'applied', $5)`,
    values: [accountId, createId("fct"), ids.order, JSON.stringify({ type: "filled", orderId: ids.order }), now],
  });
  await client.query({
    name: "audit",
    text: `insert into audit_events (id, account_id, type, actor_type, actor_id, resource_id, request_id, changes, personal, personal_salt,
      personal_hash, created_at) values ($1, $2, 'order.created', 'system', null, $3, null, $4, $5, $6, $7, $8)`,
    values: [createId("aud"), accountId, ids.order, ...auditOf(pair), now],
  });
  await client.query({
    name: "timer",
    text: `insert into work_items (account_id, id, kind, subject_id, fires_at, due_at) values ($1, $2, 'order.place', $3, $4, $4)`,
    values: [accountId, createId("wki"), ids.order, now],
  });
  await client.query("commit");
}

/** Both wallets in one statement, in the order of their ids, as they are when all is done. */
async function moveMoney(
  client: pg.PoolClient,
  accountId: string,
  { baseWalletId, quoteWalletId }: Pair,
): Promise<{ base: Moved; quote: Moved }> {
  const { rows } = await client.query<Record<keyof Moved, string>>({
    name: "wallets",
    text: `update wallets set available = available + case id when $2 then $4::bigint else - $5::bigint end,
        version = version + case id when $2 then 1 else 2 end
      where account_id = $1 and id in ($2, $3) and status = 'active' returning id, available, pending, held, version`,
    values: [accountId, baseWalletId, quoteWalletId, quantity, cost],
  });
  const find = (id: string): Moved => {
    const row = rows.find((one) => one.id === id);
    if (!row) {
      throw new Error(`The wallet ${id} cannot be moved.`);
    }
    const { available, pending, held, version } = row;
    return {
      id,
      ...{ available: Number(available), pending: Number(pending), held: Number(held) },
      version: Number(version),
    };
  };
  return { base: find(baseWalletId), quote: find(quoteWalletId) };
}

type Told = { ids: { order: string; hold: string; fill: string }; moved: readonly Moved[]; now: Date };

async function tell(client: pg.PoolClient, accountId: string, { ids, moved, now }: Told): Promise<void> {
  const eventIds = moved.map(() => createId("evt"));
  const type = "wallet.balance_changed";
  const bodies = moved.map(({ id: walletId, version, ...balance }, index) => {
    const cause = { type: "order", id: ids.order };
    const at = now.toISOString();
    const object = {
      ...{ walletId, currency: "USD", balanceBefore: balance, balanceAfter: balance, version, cause },
      ...{ ledgerTransactionId: ids.fill, changedAt: at },
    };
    return JSON.stringify({ id: eventIds[index], type, created: at, livemode: true, data: { object } });
  });
  await client.query({
    name: "events",
    text: `insert into events (id, account_id, type, body, created_at, is_test)
      select id, $1, $2, body, $5, false from unnest($3::text[], $4::text[]) as input (id, body)`,
    values: [accountId, type, eventIds, bodies, now],
  });
  await client.query({
    name: "deliveries",
    text: `insert into pending_deliveries (account_id, id, webhook_id, event_id, attempt_count, schedule_position, due_at, created_at)
      select $1, input.id, webhooks.id, event_id, 0, 0, now(), $5
      from unnest($2::text[], $3::text[]) as input (id, event_id)
      join webhooks on account_id = $1 and deleted_at is null and $4 = any(events)`,
    values: [accountId, moved.map(() => createId("dlv")), eventIds, type, now],
  });
}

function auditOf(pair: Pair): unknown[] {
  const changes = Object.entries({ symbol: "BTC-USD", side: "buy", type: "limit", quantity, ...pair });
  const personal = JSON.stringify({ clientAddress: null, changes: [] });
  const salt = randomBytes(16);
  return [
    JSON.stringify(changes.map(([field, after]) => ({ field, before: null, after }))),
    ...[personal, salt, createHash("sha256").update(salt).update(personal).digest()],
  ];
}
