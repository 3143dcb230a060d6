import { nounOf, type NounOf } from "@gateway/engine/noun";
import type { CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { prepareAccountPages, readPage, refuseBesideRange, type PageRequest } from "@gateway/engine/page";
import type { ExecutionTables, FillsTable } from "./tables.ts";

export type Fill = NounOf<Selectable<FillsTable>>;

export type Fills = ReturnType<typeof createFills>;

export function createFills(db: Kysely<ExecutionTables>, { cursors }: { cursors: CursorCodec }) {
  const select = () => db.selectFrom("fills").selectAll();
  const listAll = prepareAccountPages(db, select, { name: "fills", cursors, toItem: nounOf<Selectable<FillsTable>> });
  return {
    list: async ({
      accountId,
      orderId,
      ...page
    }: { accountId: string; orderId?: string | undefined } & PageRequest) => {
      refuseBesideRange(page, { orderId });
      return orderId === undefined
        ? listAll({ accountId, ...page })
        : readPage(db, select(), {
            ...page,
            ...{ cursors, toItem: nounOf<Selectable<FillsTable>>, of: { order_id: orderId, account_id: accountId } },
            list: `fills ${accountId} ${orderId}`,
          });
    },
  };
}
