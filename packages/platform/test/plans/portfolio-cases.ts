import { limit, read, type Case } from "./cases.ts";
import { owners } from "./row-values.ts";

const { huge, none } = owners;

/** Reads of positions, and of the sealed ledger that is counted next. The valuations are among the lists. */
export function portfolioCases(rows: number): Case[] {
  const sealed = (after: number, accountId = huge.accountId): Case["ask"] => {
    return ({ ledger }) => ledger.sealed.list({ accountId, after, limit });
  };
  return [
    read("positions", 1, ({ portfolio }) => portfolio.positions.list({ ...huge, limit })),
    read("a position", 1, ({ portfolio }) => portfolio.positions.get({ ...huge, currency: "USD" })),
    read("a portfolio", 1, ({ portfolio }) => portfolio.positions.summarize(huge)),
    read("what is sealed after half of the books", limit, sealed(rows / 2), 3 * limit),
    read("what is sealed after all of the books", 0, sealed(rows)),
    read("what is sealed of an account with none", 0, sealed(0, none.accountId)),
  ];
}
