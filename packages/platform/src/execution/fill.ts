import { nounOf, type NounOf } from "@gateway/engine/noun";
import type { CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { prepareFilteredPages } from "@gateway/engine/find-own";
import type { PageRequest } from "@gateway/engine/page";
import type { ExecutionTables, FillsTable } from "./tables.ts";

export type Fill = NounOf<Selectable<FillsTable>>;

export type Fills = ReturnType<typeof createFills>;

export function createFills(db: Kysely<ExecutionTables>, { cursors }: { cursors: CursorCodec }) {
  const list = prepareFilteredPages(db, () => db.selectFrom("fills").selectAll(), {
    name: "fills",
    cursors,
    toItem: nounOf<Selectable<FillsTable>>,
  });
  return {
    list: ({ orderId, ...request }: { accountId: string; orderId?: string | undefined } & PageRequest) =>
      list(request, { order_id: orderId }),
  };
}
