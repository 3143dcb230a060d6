import type { Transaction } from "@gateway/database";
import { formatDecimal, parseDecimal, type Currency } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import { dollarDecimals } from "./dollars.ts";
import { emptyPortfolio, type PortfolioState, type PositionState } from "./project.ts";
import type { PortfolioTables } from "./tables.ts";
import { nothingValued, type Valued } from "./value.ts";

export type Portfolio = PortfolioState & {
  /** When the next daily valuation is due; null before the first ledger transaction. */
  nextDailyMs: number | null;
  valued: Valued & { id: string | null; atMs: number };
};

export const newPortfolio: Portfolio = {
  ...emptyPortfolio,
  nextDailyMs: null,
  valued: { ...nothingValued, id: null, atMs: -Infinity },
};

type Row = {
  sequence: number;
  net_flow: string;
  next_daily_at: Date | null;
  valuation_id: string | null;
  valued_at: Date | null;
  valued_equity: string;
  valued_flow: string;
  positions: [currency: Currency, quantity: string, pending: string, cost: string, realized: string][];
};

/** A limit in the query, so that the planner expects no more, whatever it believes an account to have. */
const mostPositions = 20;

/** Reads one moment, in one statement. With `isLocked` no other process counts on until the transaction ends. */
export async function readPortfolio(
  db: Kysely<PortfolioTables>,
  { accountId, isLocked = false }: { accountId: string; isLocked?: boolean },
): Promise<Portfolio> {
  if (isLocked) {
    await db
      .insertInto("portfolios")
      .values({ account_id: accountId, sequence: 0, net_flow: "0" })
      .onConflict((conflict) => conflict.column("account_id").doNothing())
      .execute();
    await sql`select from portfolios where account_id = ${accountId} for no key update`.execute(db);
  }
  const { rows } = await sql<Row>`
    select portfolios.*, (
      select coalesce(json_agg(json_build_array(currency, quantity::text, pending::text, cost::text, realized::text)), '[]')
      from (
        select * from positions where account_id between ${accountId} and ${accountId}
        order by account_id, currency limit ${sql.lit(mostPositions)}
      ) as own
    ) as positions
    from portfolios where account_id = ${accountId}
  `.execute(db);
  return rows[0] ? portfolioOf(rows[0]) : newPortfolio;
}

function portfolioOf(row: Row): Portfolio {
  return {
    sequence: row.sequence,
    netFlow: parseDecimal(row.net_flow, dollarDecimals),
    positions: new Map(
      row.positions.map(([currency, quantity, pending, cost, realized]): [Currency, PositionState] => [
        currency,
        {
          quantity: BigInt(quantity),
          pending: BigInt(pending),
          cost: parseDecimal(cost, dollarDecimals),
          realized: parseDecimal(realized, dollarDecimals),
        },
      ]),
    ),
    nextDailyMs: row.next_daily_at?.getTime() ?? null,
    valued: {
      id: row.valuation_id,
      atMs: row.valued_at?.getTime() ?? -Infinity,
      equity: BigInt(row.valued_equity),
      flow: BigInt(row.valued_flow),
    },
  };
}

/** False, with nothing written, when another process has counted on since `before` was read. */
export async function savePortfolio(
  trx: Transaction<PortfolioTables>,
  { accountId, before, after }: { accountId: string; before: Portfolio; after: Portfolio },
): Promise<boolean> {
  const { valued } = after;
  const { rows } = await sql`
    insert into portfolios (account_id, sequence, net_flow, next_daily_at, valuation_id, valued_at, valued_equity, valued_flow)
    values (${accountId}, ${after.sequence}, ${dollars(after.netFlow)}::numeric, ${dateOf(after.nextDailyMs)}::timestamptz,
      ${valued.id}, ${dateOf(valued.id === null ? null : valued.atMs)}::timestamptz, ${String(valued.equity)}::numeric,
      ${String(valued.flow)}::numeric)
    on conflict (account_id) do update set sequence = excluded.sequence, net_flow = excluded.net_flow,
      next_daily_at = excluded.next_daily_at, valuation_id = excluded.valuation_id, valued_at = excluded.valued_at,
      valued_equity = excluded.valued_equity, valued_flow = excluded.valued_flow
    where portfolios.sequence = ${before.sequence} and portfolios.valuation_id is not distinct from ${before.valued.id}
    returning 1
  `.execute(trx);
  if (rows.length > 0) {
    await savePositions(trx, { accountId, positions: after.positions });
  }
  return rows.length > 0;
}

async function savePositions(
  trx: Transaction<PortfolioTables>,
  { accountId, positions }: { accountId: string; positions: Portfolio["positions"] },
): Promise<void> {
  const states = [...positions.values()];
  await sql`
    insert into positions (account_id, currency, quantity, pending, cost, realized)
    select ${accountId}, currency, quantity, pending, cost, realized
    from unnest(
      ${[...positions.keys()]}::text[],
      ${states.map(({ quantity }) => String(quantity))}::numeric[],
      ${states.map(({ pending }) => String(pending))}::numeric[],
      ${states.map(({ cost }) => dollars(cost))}::numeric[],
      ${states.map(({ realized }) => dollars(realized))}::numeric[]
    ) as input (currency, quantity, pending, cost, realized)
    on conflict (account_id, currency) do update set quantity = excluded.quantity, pending = excluded.pending,
      cost = excluded.cost, realized = excluded.realized
  `.execute(trx);
}

function dollars(units: bigint): string {
  return formatDecimal(units, dollarDecimals);
}

function dateOf(atMs: number | null): Date | null {
  return atMs === null ? null : new Date(atMs);
}
