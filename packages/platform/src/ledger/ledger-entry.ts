import type { CursorCodec } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { mostRows, pageOf, startOfPage, walkIndex, type Page, type PageRequest } from "../page.ts";
import type { BookedEntry } from "./decide-posting.ts";
import { ledgerAccountIdOf, walletParts, type LedgerTransactionKind } from "./ledger-place.ts";
import type { LedgerTables } from "./tables.ts";

export type LedgerEntry = BookedEntry & {
  id: string;
  ledgerTransactionId: string;
  kind: LedgerTransactionKind;
  createdAt: Date;
};

export interface LedgerEntries {
  /** All, of one ledger account, or of the three of a wallet. */
  list(
    input: { accountId: string; ledgerAccountId?: string | undefined; walletId?: string | undefined } & PageRequest,
  ): Promise<Page<LedgerEntry>>;
}

export function createLedgerEntries(db: Kysely<LedgerTables>, deps: { cursors: CursorCodec }): LedgerEntries {
  return {
    list: async ({ accountId, ledgerAccountId, walletId, limit, cursor }) => {
      const list = `ledger-entries ${accountId} ${ledgerAccountId ?? walletId ?? ""}`;
      const after = startOfPage(deps.cursors, list, cursor);
      const walks = partsOf({ accountId, ledgerAccountId, walletId }).map((of) => {
        const query = db.selectFrom("ledger_entries").selectAll();
        return sql`(${walkIndex(query, { of: { ...of, account_id: accountId }, after, most: mostRows })})`;
      });
      const { rows } = await sql<LedgerEntry>`
        select page.id, page."ledgerTransactionId", kind, page.ledger_account_id as "ledgerAccountId", direction,
          amount as "amountMinor", balance_after as "balanceAfterMinor", created_at as "createdAt"
        from (
          select *, substr(id, 1, 30) as "ledgerTransactionId" from (${sql.join(walks, sql` union all `)}) as walked
          order by id desc limit ${limit + 1}
        ) as page
        cross join lateral (
          select kind, created_at from ledger_transactions
          where account_id = ${accountId} and id = page."ledgerTransactionId" limit 1
        ) as booked
        order by page.id desc
      `.execute(db);
      return pageOf(rows, { cursors: deps.cursors, list, limit, toItem: (row) => row });
    },
  };
}

/** The parts of an index that are walked beside one another. */
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
