import { cursorAt, limit, read, type Case } from "./cases.ts";
import { owners } from "./row-values.ts";

const { huge } = owners;
const own = { accountId: huge.accountId, symbol: "EUR-USD" };
const roundMs = 10_000;
const list = "price-signing-keys";

/** Rounds are pinned without a gap, so none is decided again: only the pinned rounds of one minute are read. */
export function oracleCases(rows: number): Case[] {
  const nowMs = rows * roundMs;
  return [
    read("a price round", 1, ({ oracle }) => oracle.rounds.get({ ...own, roundId: rows / 2, nowMs })),
    read(
      "a price round that is not pinned, nor any of its minute",
      0,
      ({ oracle }) => oracle.rounds.get({ ...own, roundId: 3 * rows, nowMs: 3 * nowMs }),
      1,
    ),
    read("price rounds: the newest", limit, ({ oracle }) => oracle.rounds.list({ ...own, limit, nowMs })),
    read("price rounds: half way", limit, ({ oracle }) => oracle.rounds.list({ ...own, limit, nowMs: nowMs / 2 })),
    read("the price in force", 1, ({ oracle }) => oracle.prices.at({ ...own, atMs: nowMs / 2 + 59_999 }), 6),
    read("price signing keys: the newest", limit, ({ oracle }) => oracle.signingKeys.list({ limit })),
    read("price signing keys: half way", limit, ({ oracle }) =>
      oracle.signingKeys.list({ limit, ...cursorAt(list, "psk", rows / 2) }),
    ),
    read("the price signing key that signs", 1, ({ oracle }) => oracle.signingKeys.signer()),
  ];
}
