import type { AccountTransaction } from "@gateway/engine/account-time";
import type { RecordAudit } from "../audit/index.ts";
import type { Currency } from "@gateway/kernel";
import type { Posting } from "./decide-posting.ts";
import type { Direction } from "./ledger-place.ts";
import type { LedgerTransaction } from "./present-ledger.ts";
import { postedOrThrow, type Post } from "./post.ts";
import type { LedgerTables } from "./tables.ts";

/** The reason is the description of the ledger transaction, for the account to read. */
export type Adjustment = { walletId: string; direction: Direction; amountMinor: number; reason: string };

/** For operators. Its kind is `opening`, because the account could reverse a `manual` one. */
export async function adjustWallet(
  trx: AccountTransaction<LedgerTables>,
  { post, recordAudit }: { post: Post; recordAudit: RecordAudit },
  { walletId, currency, direction, amountMinor, reason }: Adjustment & { currency: Currency },
): Promise<LedgerTransaction> {
  const { accountId } = trx;
  const opening = openingOf({ accountId, walletId, currency, direction, amountMinor });
  const booked = postedOrThrow(await post(trx, { ...opening, description: reason }));
  await recordAudit(trx, {
    accountId,
    type: "ledger_transaction.created",
    resourceId: booked.id,
    after: { walletId, direction, amount: amountMinor, description: reason },
  });
  return booked;
}

function openingOf({
  accountId,
  walletId,
  currency,
  direction,
  amountMinor,
}: Omit<Adjustment, "reason"> & { accountId: string; currency: Currency }): Posting {
  return {
    accountId,
    kind: "opening",
    cause: null,
    isUnderWay: false,
    entries: [
      { place: { kind: "wallet", walletId, part: "available" }, direction, amountMinor },
      {
        place: { kind: "clearing", currency, part: "equity" },
        direction: direction === "credit" ? "debit" : "credit",
        amountMinor,
      },
    ],
  };
}

export type Funding = { id: string; accountId: string; amountMinor: number };

/** For the sandbox: money from nowhere, against the account's equity. Null when the account has no such wallet. */
export async function fundWallet(
  trx: AccountTransaction<LedgerTables>,
  { post, recordAudit }: { post: Post; recordAudit: RecordAudit },
  { id: walletId, accountId, amountMinor }: Funding,
): Promise<LedgerTransaction | null> {
  const wallet = await trx
    .selectFrom("wallets")
    .select("currency")
    .where("id", "=", walletId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!wallet) {
    return null;
  }
  const opening = openingOf({ ...wallet, accountId, walletId, direction: "credit", amountMinor });
  const booked = postedOrThrow(await post(trx, opening));
  await recordAudit(trx, { accountId, type: "wallet.funded", resourceId: walletId, after: { amount: amountMinor } });
  return booked;
}
