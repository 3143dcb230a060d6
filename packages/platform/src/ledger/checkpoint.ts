import type { CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { prepareAccountPages, type Page, type PageRequest } from "@gateway/engine/page";
import type { LedgerTables } from "./tables.ts";

/** The seal of one turn: the hash of its last transaction covers all transactions up to there. */
export type Checkpoint = {
  id: string;
  fromSequence: number;
  toSequence: number;
  hash: Buffer;
  previousHash: Buffer;
  createdAt: Date;
};

export interface Checkpoints {
  list(input: { accountId: string } & PageRequest): Promise<Page<Checkpoint>>;
}

export function createCheckpoints(db: Kysely<LedgerTables>, deps: { cursors: CursorCodec }): Checkpoints {
  return {
    list: prepareAccountPages(db, () => db.selectFrom("ledger_checkpoints").selectAll(), {
      name: "ledger-checkpoints",
      cursors: deps.cursors,
      toItem: checkpointOf,
    }),
  };
}

function checkpointOf(row: Selectable<LedgerTables["ledger_checkpoints"]>): Checkpoint {
  return {
    id: row.id,
    fromSequence: row.from_sequence,
    toSequence: row.to_sequence,
    hash: row.hash,
    previousHash: row.previous_hash,
    createdAt: row.created_at,
  };
}
