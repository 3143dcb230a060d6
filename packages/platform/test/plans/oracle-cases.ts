import { cursorAt, limit, type Case } from "./cases.ts";
import { owners } from "./row-values.ts";

const { huge } = owners;
const own = { accountId: huge.accountId, symbol: "EUR-USD" };
const roundMs = 10_000;
const list = "price-signing-keys";

/** Rounds are pinned without a gap, so nothing is decided anew: what is looked at is what is pinned of one minute. */
export function oracleCases(rows: number): Case[] {
  const nowMs = rows * roundMs;
  return [
    { name: "a price round", answers: 1, ask: ({ oracle }) => oracle.rounds.get({ ...own, roundId: rows / 2, nowMs }) },
    {
      name: "a price round that is not pinned, nor any of its minute",
      answers: 0,
      looksAt: 1,
      ask: ({ oracle }) => oracle.rounds.get({ ...own, roundId: 3 * rows, nowMs: 3 * nowMs }),
    },
    {
      name: "price rounds: the newest",
      answers: limit,
      ask: ({ oracle }) => oracle.rounds.list({ ...own, limit, nowMs }),
    },
    {
      name: "price rounds: half way",
      answers: limit,
      ask: ({ oracle }) => oracle.rounds.list({ ...own, limit, nowMs: nowMs / 2 }),
    },
    {
      name: "the price in force",
      answers: 1,
      looksAt: 6,
      ask: ({ oracle }) => oracle.prices.at({ ...own, atMs: nowMs / 2 + 59_999 }),
    },
    { name: "price signing keys: the newest", answers: limit, ask: ({ oracle }) => oracle.signingKeys.list({ limit }) },
    {
      name: "price signing keys: half way",
      answers: limit,
      ask: ({ oracle }) => oracle.signingKeys.list({ limit, ...cursorAt(list, "psk", rows / 2) }),
    },
    { name: "the price signing key that signs", answers: 1, ask: ({ oracle }) => oracle.signingKeys.signer() },
  ];
}
