import { sql } from "kysely";
import type { Money } from "./model/state.ts";
import type { Books } from "./books.ts";
import { heldFor } from "./model/orders.ts";

/**
 * The state of everything in the books of an account: one line for each resource, in the order of the model's lists.
 */
export type Standing = {
  wallets: string[];
  ownAccounts: string[];
  payments: string[];
  transfers: string[];
  orders: string[];
};

export function standingOf({ wallets, ownAccounts, payments, transfers, orders }: Money): Standing {
  return {
    wallets: wallets.map(({ status, available, held }) => `${status} available ${available} held ${held}`),
    ownAccounts: ownAccounts.map(({ balance }) => `balance ${balance}`),
    payments: payments.map(({ status, failure, returned }) => `${status} ${failure ?? ""} returned ${returned}`),
    transfers: transfers.map(
      ({ status, failure, approval }) => `${status} ${failure ?? ""} approval ${approval ?? "none"}`,
    ),
    orders: orders.map((order) => `${order.status} filled ${order.filled} fee ${order.fee} held ${heldFor(order)}`),
  };
}

/** Sorted ids of one kind are in the order of their creation. */
export async function readStanding({ database, accountId }: Books): Promise<Standing> {
  const { rows } = await sql<{ kind: keyof Standing; line: string }>`
    select 'wallets' as kind, id, status || ' available ' || available || ' held ' || held
      || case when pending = 0 then '' else ' pending ' || pending end as line
    from wallets where account_id = ${accountId}
    union all
    select 'ownAccounts', id, 'balance ' || balance
    from ledger_accounts where account_id = ${accountId} and kind = 'own'
    union all
    select 'payments', id, status || ' ' || coalesce(failure_code, '') || ' returned ' || returned_amount
    from payments where account_id = ${accountId}
    union all
    select 'transfers', transfers.id,
      transfers.status || ' ' || coalesce(failure_code, '') || ' approval ' || coalesce(approvals.status, 'none')
    from transfers left join approvals on approvals.account_id = ${accountId} and approvals.id = approval_id
    where transfers.account_id = ${accountId}
    union all
    select 'orders', id, status || ' filled ' || filled_quantity || ' fee ' || fee || ' held '
      || case when status in ('accepted', 'open', 'partially_filled') then hold - charged else 0 end
    from orders where account_id = ${accountId}
    order by kind, id
  `.execute(database.kysely);
  const lines = (kind: keyof Standing) => rows.filter((row) => row.kind === kind).map(({ line }) => line);
  return {
    wallets: lines("wallets"),
    ownAccounts: lines("ownAccounts"),
    payments: lines("payments"),
    transfers: lines("transfers"),
    orders: lines("orders"),
  };
}

/**
 * Totals of the whole books of an account: balances of clearing accounts, and the number of ledger transactions of
 * each kind.
 */
export type Totals = Pick<Money, "clearing" | "transactions">;

export function totalsOf({ clearing, transactions }: Money): Totals {
  const moved = Object.entries(clearing).filter(([, balance]) => balance !== 0);
  return { clearing: Object.fromEntries(moved), transactions };
}

export async function readTotals({ database: { kysely }, accountId }: Books): Promise<Totals> {
  const { rows: balances } = await sql<{ place: string; balance: number }>`
    select currency || ' ' || purpose as place,
      sum(case direction when 'credit' then amount else -amount end)::bigint as balance
    from ledger_entries join ledger_accounts using (account_id)
    where account_id = ${accountId} and ledger_accounts.id = ledger_account_id and kind = 'clearing'
    group by place having sum(case direction when 'credit' then amount else -amount end) <> 0
  `.execute(kysely);
  const { rows: kinds } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from ledger_transactions where account_id = ${accountId} group by kind
  `.execute(kysely);
  return {
    clearing: Object.fromEntries(balances.map(({ place, balance }) => [place, balance])),
    transactions: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
  };
}
