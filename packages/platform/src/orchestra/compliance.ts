import type { Transaction } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import { sql, type Selectable } from "kysely";
import { complianceThreshold } from "../ledger/index.ts";
import { findSameAccountNumber } from "./counterparty.ts";
import type { PaymentDeps } from "./payment.ts";
import type { CounterpartiesTable, OrchestraTables } from "./tables.ts";

export type Judged = {
  counterparty: Pick<
    Selectable<CounterpartiesTable>,
    "id" | "account_id" | "account_number" | "account_number_last4" | "kyc_verification_id"
  >;
  currency: Currency;
  /** What is added to the payments that are there; 0 when it is one of them. */
  amountMinor: number;
  /** The 24 hours before, and this moment. */
  createdAt: Date;
  /** When it is asked. */
  at: Date;
};

const windowMs = 24 * 60 * 60 * 1000;

/**
 * The sum that stops a payment, in minor units, or null. Judged is what the account number is paid in 24 hours, through
 * whichever counterparties, under a lock: neither splitting a payment nor paying at the same moment gains anything.
 */
export async function findStoppingSum(
  trx: Transaction<OrchestraTables>,
  deps: Pick<PaymentDeps, "cipher" | "identity">,
  judged: Judged,
): Promise<number | null> {
  if (await isVerified(deps, judged)) {
    return null;
  }
  const threshold = complianceThreshold[judged.currency];
  const sum = judged.amountMinor >= threshold ? judged.amountMinor : await sumOf(trx, deps, judged);
  return sum >= threshold ? sum : null;
}

async function isVerified({ identity }: Pick<PaymentDeps, "identity">, { counterparty, at }: Judged): Promise<boolean> {
  const { account_id: accountId, kyc_verification_id: id } = counterparty;
  return id !== null && (await identity.verifications.isValid({ accountId, id, at }));
}

/** Payments that came before and are dated after count; one judged again is not stopped by later ones. */
async function sumOf(
  trx: Transaction<OrchestraTables>,
  deps: Pick<PaymentDeps, "cipher">,
  { counterparty, amountMinor, createdAt }: Judged,
): Promise<number> {
  const { account_id: accountId, account_number_last4: last4 } = counterparty;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${accountId} ${last4}`}, 0))`.execute(trx);
  const ids = await findSameAccountNumber(trx, deps, counterparty);
  // One sum for each counterparty: an `any()` of unknown length would be answered from the account's whole day.
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
