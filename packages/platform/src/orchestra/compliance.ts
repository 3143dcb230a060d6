import type { OrchestraDeps } from "./payment.ts";
import type { Transaction } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import { sql, type Selectable } from "kysely";
import { complianceThreshold } from "../ledger/index.ts";
import { findSameAccountNumber } from "./counterparty.ts";
import type { CounterpartiesTable, OrchestraTables } from "./tables.ts";

export type Judged = {
  counterparty: Pick<
    Selectable<CounterpartiesTable>,
    "id" | "account_id" | "account_number" | "account_number_last4" | "kyc_verification_id"
  >;
  currency: Currency;
  /** Added to the existing payments; 0 when it is one of them. */
  amountMinor: number;
  /** The end of the 24 hours whose payments count. */
  createdAt: Date;
  /** The time of the decision. */
  at: Date;
};

const windowMs = 24 * 60 * 60 * 1000;

/**
 * The sum that stops a payment, in minor units, or null. It counts all payments to the account number in 24 hours,
 * through any counterparty, under a lock. Neither splitting a payment nor paying at the same moment evades it.
 */
export async function findStoppingSum(
  trx: Transaction<OrchestraTables>,
  deps: Pick<OrchestraDeps, "cipher" | "identity">,
  judged: Judged,
): Promise<number | null> {
  if (await isVerified(deps, judged)) {
    return null;
  }
  const threshold = complianceThreshold[judged.currency];
  const sum = judged.amountMinor >= threshold ? judged.amountMinor : await sumOf(trx, deps, judged);
  return sum >= threshold ? sum : null;
}

async function isVerified(
  { identity }: Pick<OrchestraDeps, "identity">,
  { counterparty, at }: Judged,
): Promise<boolean> {
  const { account_id: accountId, kyc_verification_id: id } = counterparty;
  return id !== null && (await identity.verifications.isValid({ accountId, id, at }));
}

/** A new payment also counts earlier ones with a later date. A payment judged again is not stopped by later ones. */
async function sumOf(
  trx: Transaction<OrchestraTables>,
  deps: Pick<OrchestraDeps, "cipher">,
  { counterparty, amountMinor, createdAt }: Judged,
): Promise<number> {
  const { account_id: accountId, account_number_last4: last4 } = counterparty;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${accountId} ${last4}`}, 0))`.execute(trx);
  const ids = await findSameAccountNumber(trx, deps, counterparty);
  // One sum for each counterparty: an `any()` of unknown length would read the account's whole day.
  const { rows } = await sql<{ sum: number }>`
    select least(coalesce(sum(paid.amount), 0) + ${amountMinor}::bigint, 9007199254740991)::bigint as sum
    from unnest(${ids}::text[]) as same(id) cross join lateral (
      select sum(amount) as amount from payments
      where account_id = ${accountId} and counterparty_id = same.id and status <> 'failed'
        and created_at > ${new Date(createdAt.getTime() - windowMs)} and created_at <= ${amountMinor > 0 ? "infinity" : createdAt}
    ) as paid
  `.execute(trx);
  return rows[0]?.sum ?? 0;
}
