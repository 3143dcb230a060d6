import { limit, type Case } from "./cases.ts";
import { owners } from "./row-values.ts";

const { huge, none } = owners;

/** What is read of positions, and of the sealed ledger to count on; the valuations are among the lists. */
export function portfolioCases(rows: number): Case[] {
  const sealed = (after: number, accountId = huge.accountId): Case["ask"] => {
    return ({ ledger }) => ledger.sealed.list({ accountId, after, limit });
  };
  return [
    { name: "positions", answers: 1, ask: ({ portfolio }) => portfolio.positions.list({ ...huge, limit }) },
    { name: "a position", answers: 1, ask: ({ portfolio }) => portfolio.positions.get({ ...huge, currency: "USD" }) },
    { name: "a portfolio", answers: 1, ask: ({ portfolio }) => portfolio.positions.summarize(huge) },
    { name: "what is sealed after half of the books", answers: limit, ask: sealed(rows / 2), looksAt: 3 * limit },
    { name: "what is sealed after all of the books", answers: 0, ask: sealed(rows) },
    { name: "what is sealed of an account with none", answers: 0, ask: sealed(0, none.accountId) },
  ];
}
