import { createTypeIds } from "@gateway/kernel";
import { createTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import type { TestGateway } from "./test-gateway.ts";

/** Inserts orders with a fill each, without the rules of the platform. They are only listed. */
export async function fillOrders(
  { database, platform }: Pick<TestGateway, "database" | "platform">,
  { accountId, count }: { accountId: string; count: number },
): Promise<void> {
  const wallet = { accountId, name: "Trading", metadata: {} } as const;
  const base = await platform.ledger.wallets.create({ ...wallet, currency: "BTC" });
  const quote = await platform.ledger.wallets.create({ ...wallet, currency: "USD" });
  const createId = createTypeIds(createTestClock(Date.now()));
  const ids = Array.from({ length: count }, () => createId("ord"));
  await sql`
    insert into orders (account_id, id, symbol, base, quote, price_scale, side, type, quantity, limit_price, time_in_force,
      base_wallet_id, quote_wallet_id, status, filled_quantity, notional_sum, fee, hold, charged, closed_at, created_at)
    select ${accountId}, id, 'BTC-USD', 'BTC', 'USD', 2, 'buy', 'limit', 1000, '50000.00', 'gtc', ${base.id}, ${quote.id}, 'filled', 1000,
      5000000000, 1, 52, 52, now(), now()
    from unnest(${ids}::text[]) as made (id)
  `.execute(database.kysely);
  await sql`
    insert into fills (account_id, id, order_id, venue_fill_id, quantity, price, notional, fee, liquidity, executed_at,
      ledger_transaction_id, created_at)
    select ${accountId}, replace(id, 'ord_', 'fil_'), id, id || '-1', 1000, '50000.00', 50, 1, 'taker', now(), replace(id, 'ord_', 'ltx_'), now()
    from unnest(${ids}::text[]) as made (id)
  `.execute(database.kysely);
}
