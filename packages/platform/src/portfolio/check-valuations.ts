import type { Currency } from "@gateway/kernel";
import type { Kysely } from "kysely";
import { isDeepStrictEqual } from "node:util";
import { heldIn, pricesOf } from "./count-on.ts";
import { turnSize } from "./follow-ledger.ts";
import type { PortfolioDeps } from "./portfolio-deps.ts";
import { OutOfTime } from "../oracle/index.ts";
import { createPriceReader, type PriceReader } from "./prices.ts";
import { emptyPortfolio, projectTransaction, type PortfolioState } from "./project.ts";
import type { PortfolioTables } from "./tables.ts";
import { valuationOf, type Valuation } from "./valuation-row.ts";
import { nothingValued, valuePortfolio, type Value, type Valued } from "./value.ts";

/** `different`: ids of valuations whose value differs now. `isDone`: all were calculated again. */
export type CheckedValuations = { checked: number; different: string[]; isDone: boolean };

const pageSize = 100;

/** Calculates the valuations of an account again and compares them with the stored ones. Changes nothing. */
export async function checkValuations(
  db: Kysely<PortfolioTables>,
  deps: PortfolioDeps,
  { accountId, busyMs }: { accountId: string; busyMs: number },
): Promise<CheckedValuations> {
  const until = performance.now() + busyMs;
  const prices = createPriceReader(deps.prices, { accountId, untilMs: until });
  const result: CheckedValuations = { checked: 0, different: [], isDone: false };
  let state: PortfolioState = emptyPortfolio;
  let previous: Valued = nothingValued;
  try {
    for await (const valuation of listOldestFirst(db, accountId)) {
      if (performance.now() > until) {
        return result;
      }
      state = await projectUntil(state, deps, { accountId, sequence: valuation.ledgerSequence, prices });
      const value = valuePortfolio(state, await prices.allAt(valuation.at.getTime(), heldIn(state)), previous);
      if (!value || !isSame(value, valuation)) {
        result.different.push(valuation.id);
      }
      previous = { equity: valuation.equity, flow: previous.flow + valuation.netFlow };
      result.checked += 1;
    }
  } catch (error) {
    if (error instanceof OutOfTime) {
      return result;
    }
    throw error;
  }
  return { ...result, isDone: true };
}

async function* listOldestFirst(db: Kysely<PortfolioTables>, accountId: string): AsyncGenerator<Valuation> {
  let after = "";
  for (;;) {
    const rows = await db
      .selectFrom("valuations")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", ">", after)
      .orderBy("account_id")
      .orderBy("id")
      .limit(pageSize)
      .execute();
    yield* rows.map(valuationOf);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) {
      return;
    }
    after = last.id;
  }
}

async function projectUntil(
  from: PortfolioState,
  { ledger }: Pick<PortfolioDeps, "ledger">,
  { accountId, sequence, prices }: { accountId: string; sequence: number; prices: PriceReader },
): Promise<PortfolioState> {
  let state = from;
  while (state.sequence < sequence) {
    const limit = Math.min(turnSize, sequence - state.sequence);
    const changes = await ledger.sealed.list({ accountId, after: state.sequence, limit });
    if (changes.length === 0) {
      throw new Error(`The ledger of ${accountId} ends at ${state.sequence}, and ${sequence} were valued.`);
    }
    for (const change of changes) {
      const at: ReadonlyMap<Currency, string> = await pricesOf(change, prices);
      state = projectTransaction(state, change, (currency) => at.get(currency) ?? null);
    }
  }
  return state;
}

function isSame(value: Value, { equity, netFlow, profit, lines }: Valuation): boolean {
  const { equity: again, netFlow: flowAgain, profit: profitAgain, lines: linesAgain } = value;
  return isDeepStrictEqual([again, flowAgain, profitAgain, linesAgain], [equity, netFlow, profit, lines]);
}
