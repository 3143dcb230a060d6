import type { Random } from "../random.ts";
import type { StormAccount } from "./account.ts";
import { post, postTo, shortage, simulations, type Action } from "./action.ts";

/**
 * The end of an address selects the outcome of its transfer: it arrives, the network refuses it, or it is never mined.
 */
const destinations = ["0", "dead", "beef"].map((end) => `0x${end.padStart(40, "1")}`);

/**
 * The policy's threshold. A day's transfers of one currency below it need no approval, and one transfer of this amount
 * does.
 */
const thresholdMinor = 1_000_000_000;

export const custodyActions: readonly Action[] = [
  {
    name: "create a deposit address",
    weight: 1,
    request: (account, random, externalId) => {
      const walletId = pickOf(account, ["USDC", "ETH"], random);
      return walletId ? post("/deposit-addresses", { walletId, externalId }) : null;
    },
    refusals: ["WALLET_NOT_ACTIVE", "LIMIT_REACHED"],
  },
  {
    name: "simulate a deposit",
    weight: 12,
    request: (account, random) => {
      const walletId = pickOf(account, ["USDC", "ETH"], random);
      return walletId ? post("/sandbox/deposits", { walletId, amount: random.between(1, 10_000_000) }) : null;
    },
    refusals: ["WALLET_NOT_ACTIVE", "BALANCE_LIMIT_REACHED"],
    learns: "deposits",
  },
  ...simulations("deposits", ["confirmed", "orphaned"], {
    weight: 5,
    of: ({ deposits }) => deposits,
    refusals: ["INVALID_STATE"],
    learns: { orphaned: "orphans" },
  }),
  {
    name: "see an orphaned deposit again",
    weight: 3,
    request: ({ known }, random) => {
      const deposit = random.pick(known.orphans);
      return deposit
        ? post("/sandbox/deposits", {
            walletId: deposit.walletId,
            amount: deposit.amount,
            transactionHash: deposit.transactionHash,
          })
        : null;
    },
    refusals: ["WALLET_NOT_ACTIVE", "BALANCE_LIMIT_REACHED", "INVALID_STATE"],
  },
  {
    // Uses another currency than the transfers with an approval, because the policy judges a day's transfers of one
    // currency together.
    name: "send from custody",
    weight: 12,
    request: (account, random, externalId) =>
      transferOf(account, { currency: "ETH", amount: random.between(1_000_000, 1_200_000) }, random, externalId),
    refusals: shortage,
    learns: "transfers",
  },
  {
    name: "send from custody, with an approval",
    weight: 10,
    request: (account, random, externalId) =>
      transferOf(account, { currency: "USDC", amount: thresholdMinor + random.between(0, 1_000) }, random, externalId),
    refusals: shortage,
    learns: "transfers",
  },
  {
    name: "cancel a transfer",
    weight: 3,
    request: ({ known }, random) => postTo("/transfers", known.transfers, "/cancel", random),
    refusals: ["INVALID_STATE"],
  },
  ...simulations("transfers", ["completed", "failed"], {
    weight: 4,
    of: ({ transfers }) => transfers,
    refusals: ["INVALID_STATE"],
  }),
  ...simulations("approvals", ["approved", "rejected"], {
    weight: 3,
    of: ({ transfers }) => transfers.flatMap(({ approvalId }) => (approvalId === null ? [] : [{ id: approvalId }])),
    refusals: ["INVALID_STATE", "WALLET_NOT_ACTIVE"],
  }),
];

function transferOf(
  account: StormAccount,
  { currency, amount }: { currency: "USDC" | "ETH"; amount: number },
  random: Random,
  externalId: string,
) {
  const walletId = pickOf(account, [currency], random);
  return walletId
    ? post("/transfers", { walletId, amount, destinationAddress: random.pick(destinations), externalId })
    : null;
}

function pickOf({ wallets }: StormAccount, currencies: readonly string[], random: Random): string | undefined {
  return random.pick(wallets.filter(({ currency }) => currencies.includes(currency)))?.id;
}
