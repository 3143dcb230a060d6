import { invalidField, Problem } from "@gateway/contract";
import { isUniqueViolation } from "@gateway/database";
import { externalIdUsed } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql, type RawBuilder } from "kysely";
import { postedOrThrow, type Wallet } from "../ledger/index.ts";
import type { Instrument } from "../market-data/index.ts";
import { begin } from "@gateway/engine/move";
import { readMarket } from "./read-market.ts";
import { requirePort } from "@gateway/ports/require-port";
import { isFault, judgeOrder, type JudgedOrder, type WantedOrder } from "./judge-order.ts";
import { asNew, orderOf, type Order, type OrderDeps, type OrderRow } from "./order.ts";
import { holdOf } from "./order-entries.ts";
import { holdOfLimit } from "./order-money.ts";
import { placeOrderKind } from "./order-kinds.ts";
import type { ExecutionTables } from "./tables.ts";

type Trx = AccountTransaction<ExecutionTables>;

export const maxOpenOrders = 200;

export type NewOrder = WantedOrder & {
  accountId: string;
  symbol: string;
  baseWalletId: string;
  quoteWalletId: string;
  externalId: string | null;
  metadata: Record<string, string>;
};

/** Creates the order together with the hold for its maximum cost, or neither. */
export async function placeOrder(trx: Trx, deps: OrderDeps, input: NewOrder): Promise<Order> {
  const { accountId, side } = input;
  requirePort(deps.ports, "venue");
  const instrument = await readMarket(deps, input);
  const judged = judgeOrder(input, instrument, trx.now.getTime());
  if (isFault(judged)) {
    throw invalidField(judged.field, judged.issue);
  }
  await requireWallets(deps, input, instrument);
  const hold = holdFor(side, instrument, judged);
  const { state: status } = begin("Order", "create");
  const row: OrderRow = {
    ...asNew,
    ...{ account_id: accountId, id: deps.createId("ord"), symbol: instrument.symbol },
    ...{ base: instrument.base, quote: instrument.quote, price_scale: instrument.priceScale },
    ...{ side, type: input.type, quantity: judged.quantityMinor, quote_amount: judged.quoteAmountMinor },
    ...{ limit_price: judged.limitPrice, time_in_force: judged.timeInForce, expires_at: judged.expiresAt },
    ...{ base_wallet_id: input.baseWalletId, quote_wallet_id: input.quoteWalletId },
    ...{ status, hold, external_id: input.externalId, metadata: input.metadata, created_at: trx.now },
  };
  const { id } = row;
  const cause = { type: "order", id } as const;
  const beside = allOf(trx, deps, row);
  const posting = { accountId, cause, isUnderWay: false, beside, ...holdOf(row, hold) };
  const posted = await deps.ledger.post(posting).catch((error: unknown) => {
    throw isUniqueViolation(error, "orders_by_external_id") ? externalIdUsed("has another order", error) : error;
  });
  // A caller who repeats an order without the money for a second one gets the conflict with the first.
  if (posted.kind === "refused" && (await isUsed(trx, input))) {
    throw externalIdUsed("has another order");
  }
  postedOrThrow(posted);
  await requireRoom(trx, accountId);
  return orderOf(row);
}

function allOf(trx: Trx, { auditBeside, work }: OrderDeps, row: OrderRow): RawBuilder<unknown> {
  const { account_id: accountId, id, symbol, side, type, quantity, quote_amount: quoteAmount } = row;
  const after = { symbol, side, type, quantity, quoteAmount, limitPrice: row.limit_price };
  const audited = auditBeside({ accountId, type: "order.created", resourceId: id, after });
  const armed = work.queue.armBeside({
    ...{ accountId, kind: placeOrderKind, subjectId: id },
    firesAt: row.created_at,
  });
  const placed = trx.insertInto("orders").values({ ...row, metadata: JSON.stringify(row.metadata) });
  return sql`placed as (${placed}), audited as (${audited}), armed as (${armed})`;
}

async function isUsed(trx: Trx, { accountId, externalId }: NewOrder): Promise<boolean> {
  const own = trx.selectFrom("orders").select("id").where("account_id", "=", accountId);
  return externalId !== null && (await own.where("external_id", "=", externalId).executeTakeFirst()) !== undefined;
}

/**
 * Both belong to the account and hold the traded currencies. The ledger checks under its lock whether the paying one is
 * active.
 */
async function requireWallets(
  { ledger }: OrderDeps,
  { accountId, baseWalletId, quoteWalletId, side }: NewOrder,
  instrument: Instrument,
): Promise<void> {
  const wallets = await ledger.wallets.getSome({ ids: [baseWalletId, quoteWalletId], accountId });
  const find = (field: string, id: string, currency: string): Wallet => {
    const wallet = wallets.find((one) => one.id === id);
    if (!wallet) {
      throw invalidField(field, "is not a wallet of this account");
    }
    if (wallet.currency !== currency) {
      throw invalidField(field, `must hold ${currency}, and holds ${wallet.currency}`);
    }
    return wallet;
  };
  const base = find("baseWalletId", baseWalletId, instrument.base);
  const quote = find("quoteWalletId", quoteWalletId, instrument.quote);
  const filled = side === "buy" ? base : quote;
  if (filled.status === "closed") {
    throw new Problem("WALLET_NOT_ACTIVE", `The wallet ${filled.id} is closed, so nothing new is booked in it.`);
  }
}

/**
 * Exactly `maxOpenOrders` of any number at once succeed. Its lock comes last, so its holder does not wait for others.
 */
async function requireRoom(trx: Trx, accountId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count_open_orders(${accountId}) as count`.execute(trx);
  if ((rows[0]?.count ?? 0) > maxOpenOrders) {
    throw new Problem(
      "LIMIT_REACHED",
      `The account has ${maxOpenOrders} orders that have not ended, which is the maximum. Cancel one, or wait until one ends.`,
    );
  }
}

function holdFor(side: NewOrder["side"], instrument: Instrument, judged: JudgedOrder): number {
  const { quantityMinor, quoteAmountMinor, limitPrice } = judged;
  if (quantityMinor === null) {
    return quoteAmountMinor ?? 0;
  }
  // A market sell holds its quantity, whatever its price will be.
  const hold = holdOfLimit(side, instrument, { quantityMinor, price: limitPrice ?? "0" });
  return amountOf(hold);
}

/** Larger amounts exceed the balance of every wallet. */
export function amountOf(amount: bigint): number {
  if (amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new Problem("INSUFFICIENT_FUNDS", `No wallet holds ${amount}, in minor units, which the order may cost.`);
  }
  return Number(amount);
}
