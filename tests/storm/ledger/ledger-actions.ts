import { ledgerAccountIdOf } from "@gateway/platform/ledger";
import type { Random } from "../random.ts";
import { get, pickPair, post, postTo, shortage, type Action } from "./action.ts";

export const ledgerActions: readonly Action[] = [
  {
    name: "move between wallets",
    weight: 60,
    request: ({ id, wallets }, random, externalId) => {
      const [from, to] = pickPair(wallets, random);
      const place = (walletId: string) => ledgerAccountIdOf({ kind: "wallet", walletId, part: "available" }, id);
      return from && to ? post("/ledger-transactions", bookingOf(place(from), place(to), random, externalId)) : null;
    },
    refusals: [...shortage, "BALANCE_LIMIT_REACHED"],
    learns: "bookings",
    isBooked: true,
  },
  {
    name: "book by hand",
    weight: 10,
    request: ({ ledgerAccountIds: [from = "", to = ""] }, random, externalId) =>
      post("/ledger-transactions", bookingOf(from, to, random, externalId)),
    refusals: shortage,
    learns: "bookings",
    isBooked: true,
  },
  {
    name: "reverse",
    weight: 12,
    request: ({ known }, random) => postTo("/ledger-transactions", known.bookings, "/reverse", random),
    refusals: [...shortage, "ALREADY_REVERSED", "BALANCE_LIMIT_REACHED"],
  },
  {
    name: "fund a wallet",
    weight: 3,
    request: ({ wallets }, random) => {
      const call = postTo("/sandbox/wallets", wallets, "/fund", random);
      return call && { ...call, body: { amount: random.between(1, 10_000) } };
    },
    refusals: ["WALLET_NOT_ACTIVE", "BALANCE_LIMIT_REACHED"],
  },
  {
    name: "freeze a wallet",
    weight: 2,
    request: ({ wallets }, random) => postTo("/wallets", wallets, "/freeze", random),
    refusals: ["INVALID_STATE"],
  },
  {
    name: "unfreeze a wallet",
    weight: 12,
    request: ({ wallets }, random) => postTo("/wallets", wallets, "/unfreeze", random),
    refusals: ["INVALID_STATE"],
  },
  {
    name: "create a wallet",
    weight: 3,
    request: (_account, _random, reference) => post("/wallets", { name: reference, currency: "EUR" }),
    learns: "spareWallets",
  },
  {
    name: "close a wallet",
    weight: 3,
    request: ({ known }, random) => postTo("/wallets", known.spareWallets, "/close", random),
    refusals: ["INVALID_STATE"],
  },
  {
    name: "rename a wallet",
    weight: 2,
    request: ({ wallets }, random, name) => {
      const wallet = random.pick(wallets);
      return wallet ? { method: "PATCH", path: `/wallets/${wallet.id}`, body: { name } } : null;
    },
  },
  {
    name: "read a wallet",
    weight: 6,
    request: ({ wallets }, random) => get(`/wallets/${random.pick(wallets)?.id ?? ""}`),
  },
  {
    name: "list entries",
    weight: 4,
    request: ({ wallets }, random) => get(`/ledger-entries?walletId=${random.pick(wallets)?.id ?? ""}`),
  },
  {
    name: "advance the clock",
    weight: 1,
    request: (_account, random) => post("/sandbox/clock/advance", { seconds: random.between(1, 20) }),
  },
];

function bookingOf(debited: string, credited: string, random: Random, externalId: string): object {
  // Now and then more than there is.
  const amount = random.fraction() < 0.05 ? random.between(1_000_000, 100_000_000) : random.between(1, 1_000);
  return {
    entries: [
      { ledgerAccountId: debited, direction: "debit", amount },
      { ledgerAccountId: credited, direction: "credit", amount },
    ],
    externalId,
  };
}
