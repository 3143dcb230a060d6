import { nounOf, type NounOf } from "@gateway/engine/noun";
import type { CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { prepareAccountPages } from "@gateway/engine/page";
import type { LedgerTables } from "./tables.ts";

/** The seal of one turn: the hash of its last transaction covers all transactions up to there. */
export type Checkpoint = NounOf<Selectable<LedgerTables["ledger_checkpoints"]>>;

export function createCheckpoints(db: Kysely<LedgerTables>, deps: { cursors: CursorCodec }) {
  return {
    list: prepareAccountPages(db, () => db.selectFrom("ledger_checkpoints").selectAll(), {
      name: "ledger-checkpoints",
      cursors: deps.cursors,
      toItem: nounOf<Selectable<LedgerTables["ledger_checkpoints"]>>,
    }),
  };
}
