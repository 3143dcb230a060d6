import type { AccountTransaction } from "@gateway/engine/account-time";
import type { RecordAudit } from "../audit/index.ts";
import { openingOf } from "./adjust-wallet.ts";
import type { LedgerTransaction } from "./present-ledger.ts";
import { postedOrThrow, type Post } from "./post.ts";
import type { LedgerTables } from "./tables.ts";

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
