import type { CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { prepareAccountPages, readPage, refuseBesideRange, type Page, type PageRequest } from "@gateway/engine/page";
import type { Liquidity } from "./order-money.ts";
import type { ExecutionTables, FillsTable } from "./tables.ts";

export type Fill = {
  id: string;
  orderId: string;
  venueFillId: string;
  quantityMinor: number;
  price: string;
  notionalMinor: number;
  feeMinor: number;
  liquidity: Liquidity;
  executedAt: Date;
  ledgerTransactionId: string;
  createdAt: Date;
};

export interface Fills {
  list(input: { accountId: string; orderId?: string | undefined } & PageRequest): Promise<Page<Fill>>;
}

export function createFills(db: Kysely<ExecutionTables>, { cursors }: { cursors: CursorCodec }): Fills {
  const select = () => db.selectFrom("fills").selectAll();
  const listAll = prepareAccountPages(db, select, { name: "fills", cursors, toItem: fillOf });
  return {
    list: async ({ accountId, orderId, ...page }) => {
      refuseBesideRange(page, { orderId });
      return orderId === undefined
        ? listAll({ accountId, ...page })
        : readPage(db, select(), {
            ...page,
            ...{ cursors, toItem: fillOf, of: { order_id: orderId, account_id: accountId } },
            list: `fills ${accountId} ${orderId}`,
          });
    },
  };
}

function fillOf(row: Selectable<FillsTable>): Fill {
  return {
    id: row.id,
    orderId: row.order_id,
    venueFillId: row.venue_fill_id,
    quantityMinor: row.quantity,
    price: row.price,
    notionalMinor: row.notional,
    feeMinor: row.fee,
    liquidity: row.liquidity,
    executedAt: row.executed_at,
    ledgerTransactionId: row.ledger_transaction_id,
    createdAt: row.created_at,
  };
}
