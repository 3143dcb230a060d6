import { nounOf } from "@gateway/engine/noun";
import type { Transaction } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import type { Selectable } from "kysely";
import type { PortfolioTables, StoredLine, ValuationsTable } from "./tables.ts";
import type { ValuationLine } from "./value.ts";

/** Money is in cents. */
export type Valuation = ReturnType<typeof valuationOf>;

/** False, with nothing written, when another valuation of the account has the external id. */
export async function insertValuation(
  trx: Transaction<PortfolioTables>,
  { accountId, atMs, ...valuation }: Omit<Valuation, "at"> & { accountId: string; atMs: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("valuations")
    .values({
      account_id: accountId,
      id: valuation.id,
      kind: valuation.kind,
      at: new Date(atMs),
      ledger_sequence: valuation.ledgerSequence,
      previous_id: valuation.previousId,
      equity: String(valuation.equity),
      net_flow: String(valuation.netFlow),
      profit: String(valuation.profit),
      lines: JSON.stringify(valuation.lines.map(storedOf)),
      external_id: valuation.externalId,
      metadata: JSON.stringify(valuation.metadata),
      created_at: valuation.createdAt,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "external_id"]).where("external_id", "is not", null).doNothing(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export function valuationOf({ equity, net_flow: netFlow, profit, lines, ...row }: Selectable<ValuationsTable>) {
  return {
    ...nounOf(row),
    equity: BigInt(equity),
    netFlow: BigInt(netFlow),
    profit: BigInt(profit),
    lines: lines.map(lineOf),
  };
}

function storedOf({ currency, quantityMinor, price, roundId, isStale, value }: ValuationLine): StoredLine {
  return { currency, quantity: String(quantityMinor), price, roundId, isStale, value: String(value) };
}

function lineOf({ quantity, value, ...line }: StoredLine): ValuationLine & { currency: Currency } {
  return { ...line, quantityMinor: BigInt(quantity), value: BigInt(value) };
}
