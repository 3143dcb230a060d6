import type { Need } from "../../src/compose/elsewhere.ts";
import type { Services } from "../../src/compose/may-call.ts";
import type { Platform } from "../../src/compose/platform.ts";
import { change, cursorAt, limit, read, refused, type Case } from "./cases.ts";
import { idAt, openOrders, owners, walletAt } from "./row-values.ts";

const { huge, small } = owners;

type Filter = { symbol?: string; status?: "filled" | "canceled" | "rejected" | "open" };

/** Orders by instrument and status, and the reads of a new order. */
export function orderCases(rows: number): Case[] {
  const of = (name: string, answers: number, filter: Filter, position?: number, accountId = huge.accountId): Case => {
    const cursor = cursorAt(`orders ${accountId} ${filter.symbol ?? ""} ${filter.status ?? ""}`, "ord", position);
    const ask = ({ execution }: Platform) => execution.orders.list({ accountId, limit, ...filter, ...cursor });
    return read(`orders of ${name}`, answers, ask);
  };
  const { accountId } = huge;
  const needs: Need[] = [{ kind: "instrument", accountId, symbol: "USDC-EUR" }];
  const create = ({ execution }: Services, quantity: number) =>
    execution.orders.create({
      ...{ accountId, symbol: "USDC-EUR", side: "buy", type: "limit", quantity, limitPrice: "1.00" },
      ...{ baseWalletId: walletAt("busy", rows), quoteWalletId: walletAt("paying", rows) },
      ...{ externalId: "new", metadata: {} },
    });
  const [busy, rare] = [{ symbol: "BTC-USD" }, { symbol: "ETH-USD" }];
  return [
    of("a busy instrument", limit, busy),
    of("a busy instrument: half way", limit, busy, rows / 2),
    of("a busy instrument: of an account with few", 5, busy, undefined, small.accountId),
    of("a rare instrument", 3, rare),
    of("a rare instrument: half way", 3, rare, rows / 2),
    of("a rare instrument: of another account", 0, rare, undefined, small.accountId),
    of("an instrument that nobody trades", 0, { symbol: "USD-JPY" }),
    of("a frequent status", limit, { status: "filled" }),
    of("a frequent status: half way", limit, { status: "filled" }, rows / 2),
    of("a rare status", 3, { status: "canceled" }),
    of("a rare status: half way", 3, { status: "canceled" }, rows / 2),
    of("a status that none has", 0, { status: "rejected" }),
    of("an instrument and a frequent status", limit, { ...busy, status: "filled" }),
    of("an instrument and a frequent status: half way", limit, { ...busy, status: "filled" }, rows / 2),
    of("an instrument and a rare status", 3, { ...rare, status: "canceled" }),
    of("an instrument and a status that none has", 0, { ...rare, status: "filled" }),
    change("orders that have not ended, which a new one counts", openOrders, (services) => create(services, 1), needs),
    // More than an order may have.
    change("what was said of an instrument", 1, (services) => refused("INVALID_REQUEST", create(services, 11)), needs),
    change("facts that wait for an order with many", 15, ({ work }) =>
      work.inbox.resume({ accountId: huge.accountId, subjectId: idAt("ord", rows) }),
    ),
    change("facts that wait for an order without any", 0, ({ work }) =>
      work.inbox.resume({ accountId: huge.accountId, subjectId: idAt("ord", rows - 1) }),
    ),
    change("what a fact of an order looks at", 3, ({ work }) =>
      work.inbox.receive({
        ...{ port: "venue", factId: "new", accountId: huge.accountId },
        fact: {
          ...{ type: "filled", orderId: idAt("ord", rows), venueFillId: "new", quantityMinor: 2_000 },
          ...{ price: "1.00", liquidity: "taker", last: null, executedAtMs: 1 },
        },
      }),
    ),
  ];
}
