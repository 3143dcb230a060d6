import type { Random } from "../random.ts";
import { pickPair, post, postTo, simulations, type Action } from "./action.ts";
import { accountNumberOf } from "./secrets.ts";

export const orchestraActions: readonly Action[] = [
  {
    name: "create a counterparty",
    weight: 2,
    request: (_account, random, externalId) =>
      post("/counterparties", {
        name: "Rail customer",
        currency: "GBP",
        accountNumber: accountNumberOf(random),
        externalId,
      }),
    learns: "counterparties",
  },
  {
    name: "pay a wallet",
    weight: 15,
    request: ({ wallets }, random, externalId) => {
      const [from, to] = pickPair(wallets, random);
      return from && to ? post("/payments", paymentOf(from, { walletId: to }, random, externalId)) : null;
    },
    refusals: ["WALLET_NOT_ACTIVE", "BALANCE_LIMIT_REACHED"],
  },
  {
    name: "pay a counterparty",
    weight: 15,
    request: ({ wallets, known }, random, externalId) => {
      const from = random.pick(wallets.filter(({ currency }) => currency === "GBP"));
      const counterparty = random.pick(known.counterparties);
      return from && counterparty
        ? post("/payments", paymentOf(from.id, { counterpartyId: counterparty.id }, random, externalId))
        : null;
    },
    refusals: ["WALLET_NOT_ACTIVE"],
    learns: "payments",
  },
  {
    name: "cancel a payment",
    weight: 4,
    request: ({ known }, random) => postTo("/payments", known.payments, "/cancel", random),
    refusals: ["INVALID_STATE"],
  },
  ...simulations("payments", ["settled", "failed", "returned"], {
    weight: 3,
    of: ({ payments }) => payments,
    refusals: ["INVALID_STATE"],
  }),
];

function paymentOf(walletId: string, destination: object, random: Random, externalId: string): object {
  return { walletId, amount: random.between(1, 500), destination, externalId };
}
