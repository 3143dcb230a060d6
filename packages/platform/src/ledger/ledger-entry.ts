import type { CursorCodec } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { orderOf, pageOf, type PageRequest } from "@gateway/engine/page";
import type { BookedEntry } from "./decide-posting.ts";
import {
  causeOf,
  ledgerAccountIdOf,
  walletParts,
  type Cause,
  type CauseColumns,
  type LedgerTransactionKind,
} from "./ledger-place.ts";
import type { LedgerTables } from "./tables.ts";

export type LedgerEntry = BookedEntry & {
  id: string;
  ledgerTransactionId: string;
  kind: LedgerTransactionKind;
  /** The cause of its transaction, so that a list of entries is reconciled without reading each transaction. */
  cause: Cause;
  createdAt: Date;
};

type ListInput = {
  accountId: string;
  ledgerAccountId?: string | undefined;
  walletId?: string | undefined;
} & PageRequest;

export function createLedgerEntries(db: Kysely<LedgerTables>, deps: { cursors: CursorCodec }) {
  return {
    /** All entries, those of one ledger account, or those of the three of a wallet. */
    list: async ({ accountId, ledgerAccountId, walletId, limit, ...page }: ListInput) => {
      const list = `ledger-entries ${accountId} ${ledgerAccountId ?? walletId ?? ""}`;
      const order = orderOf(page, { ...deps, list });
      const walks = partsOf({ accountId, ledgerAccountId, walletId }).map((of) => {
        const query = db.selectFrom("ledger_entries").selectAll();
        return sql`(${order.walk(query, { ...of, account_id: accountId })})`;
      });
      const { rows } = await sql<EntryRow>`
        select page.id, page."ledgerTransactionId", kind, cause_type, cause_id, page.ledger_account_id as "ledgerAccountId", direction,
          amount as "amountMinor", balance_after as "balanceAfterMinor", created_at
        from (
          select *, substr(id, 1, 30) as "ledgerTransactionId" from (${sql.join(walks, sql` union all `)}) as walked
          order by ${order.columns} limit ${limit + 1}
        ) as page
        cross join lateral (
          select kind, cause_type, cause_id from ledger_transactions
          where account_id = ${accountId} and id = page."ledgerTransactionId" limit 1
        ) as booked
        order by ${order.columns}
      `.execute(db);
      const toItem = ({ created_at: createdAt, cause_type, cause_id, ...entry }: EntryRow): LedgerEntry => ({
        ...entry,
        cause: causeOf({ cause_type, cause_id }),
        createdAt,
      });
      return pageOf(rows, { ...deps, ...order, limit, toItem });
    },
  };
}

type EntryRow = Omit<LedgerEntry, "createdAt" | "cause"> & CauseColumns & { created_at: Date };

function partsOf({
  accountId,
  ledgerAccountId,
  walletId,
}: {
  accountId: string;
  ledgerAccountId: string | undefined;
  walletId: string | undefined;
}): { ledger_account_id?: string }[] {
  if (walletId !== undefined) {
    return walletParts.map((part) => ({
      ledger_account_id: ledgerAccountIdOf({ kind: "wallet", walletId, part }, accountId),
    }));
  }
  return ledgerAccountId === undefined ? [{}] : [{ ledger_account_id: ledgerAccountId }];
}
