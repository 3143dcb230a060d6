import fc from "fast-check";
import type { Currency, Wallet } from "../model/state.ts";
import { closeWallet, freezeWallet, fundWallet, openWallet, unfreezeWallet } from "../model/wallets.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";

/** The most wallets of an account. Few wallets make the steps interact. */
const mostWallets = 7;

type Opening = { currency: Currency };

const open: Step<Opening, Opening> = {
  name: "open a wallet",
  mustAnswer: ["done"],
  raw: fc.record({ currency: fc.constantFrom("EUR", "USD", "ETH") }),
  resolve: ({ wallets }, raw) => (wallets.length < mostWallets ? raw : null),
  expect: openWallet,
  act: async ({ platform, accountId, wallets }, { currency }) => {
    const { id } = await platform.ledger.wallets.create({ accountId, name: "Wallet", currency, metadata: {} });
    wallets.push(id);
  },
};

type Funding = { wallet: number; amount: number };

const fund: Step<Funding, Funding> = {
  name: "fund a wallet",
  mustAnswer: ["done"],
  raw: fc.record({ wallet: choice, amount: fc.integer({ min: 1, max: 100_000 }) }),
  resolve: ({ wallets }, { amount, ...raw }) => {
    const wallet = choosePlace(wallets, raw.wallet, { isLikely: ({ status }) => status !== "closed" });
    return wallet === null ? null : { wallet, amount };
  },
  expect: fundWallet,
  act: async ({ platform, accountId, wallets, bookings }, { wallet, amount: amountMinor }) => {
    const funding = { id: wallets[wallet] ?? "", accountId, amountMinor };
    const booked = await platform.inAccount(accountId, ({ ledger }) => ledger.transactions.fund(funding));
    bookings.push(booked?.id ?? "");
  },
};

type OfWallet = { wallet: number };

type Change = {
  name: "freeze" | "unfreeze" | "close";
  isLikely(wallet: Wallet): boolean;
  expect: Step<OfWallet, OfWallet>["expect"];
  mustAnswer: Step<OfWallet, OfWallet>["mustAnswer"];
};

function changing({ name, isLikely, expect, mustAnswer }: Change): Step<OfWallet, OfWallet> {
  return {
    name: `${name} a wallet`,
    mustAnswer,
    raw: fc.record({ wallet: choice }),
    resolve: ({ wallets }, raw) => {
      const wallet = choosePlace(wallets, raw.wallet, { isLikely });
      return wallet === null ? null : { wallet };
    },
    expect,
    act: async ({ platform, accountId, wallets }, { wallet }) => {
      await platform.ledger.wallets[name]({ id: wallets[wallet] ?? "", accountId });
    },
  };
}

const freeze = changing({
  name: "freeze",
  isLikely: ({ status }) => status === "active",
  expect: freezeWallet,
  mustAnswer: ["done", "INVALID_STATE"],
});
const unfreeze = changing({
  name: "unfreeze",
  isLikely: ({ status }) => status !== "active",
  expect: unfreezeWallet,
  mustAnswer: ["done", "INVALID_STATE"],
});
const close = changing({
  name: "close",
  isLikely: ({ status, available }) => status !== "closed" && available === 0,
  expect: closeWallet,
  mustAnswer: ["done", "WALLET_NOT_EMPTY"],
});

export const walletSteps: WeightedStep[] = [
  weighted(3, open),
  weighted(2, fund),
  weighted(3, freeze),
  weighted(5, unfreeze),
  weighted(2, close),
];
