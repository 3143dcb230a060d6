import type { Currency } from "@gateway/kernel";
import { sql, type Selectable, type Transaction } from "kysely";
import { complianceThreshold } from "../threshold.ts";
import type { PaymentDeps } from "./payment.ts";
import type { CounterpartiesTable, OrchestraTables } from "./tables.ts";

export type Judged = {
  counterparty: Pick<Selectable<CounterpartiesTable>, "id" | "account_id" | "kyc_verification_id">;
  currency: Currency;
  /** What is added to the payments that are there. */
  amountMinor: number;
  /** The 24 hours before, and this moment. */
  createdAt: Date;
  /** When it is asked. */
  at: Date;
};

const windowMs = 24 * 60 * 60 * 1000;

/**
 * From the threshold on a counterparty must be verified. Judged is the sum of what it is paid in 24 hours, under a lock of its own: so
 * neither splitting a payment nor paying at the same moment gains anything.
 */
export async function isStopped(
  trx: Transaction<OrchestraTables>,
  { identity }: Pick<PaymentDeps, "identity">,
  judged: Judged,
): Promise<boolean> {
  const { account_id: accountId, kyc_verification_id: id } = judged.counterparty;
  if (id !== null && (await identity.verifications.isValid({ accountId, id, at: judged.at }))) {
    return false;
  }
  const threshold = complianceThreshold[judged.currency];
  return judged.amountMinor >= threshold || (await sumOf(trx, judged)) >= threshold;
}

/** Of an unverified counterparty it is small: what would come to the threshold has failed. */
async function sumOf(
  trx: Transaction<OrchestraTables>,
  { counterparty, amountMinor, createdAt }: Judged,
): Promise<number> {
  const { account_id: accountId, id } = counterparty;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${accountId} ${id}`}, 0))`.execute(trx);
  const { rows } = await sql<{ sum: number }>`
    select least(coalesce(sum(amount), 0) + ${amountMinor}::bigint, 9007199254740991)::bigint as sum from payments
    where account_id = ${accountId} and counterparty_id = ${id} and status <> 'failed'
      and created_at > ${new Date(createdAt.getTime() - windowMs)} and created_at <= ${createdAt}
  `.execute(trx);
  return rows[0]?.sum ?? 0;
}
