import type { Services } from "@gateway/platform/compose/may-call";
import { chainFactIds, type Transfer } from "@gateway/platform/custody";
import type { TransferFact } from "@gateway/ports";
import fc from "fast-check";
import type { Transfer as Known, TransferFate } from "../model/state.ts";
import {
  cancelTransfer,
  decideTransfer,
  fee,
  sendTransfer,
  simulateTransfer,
  type Decision,
  type TransferOutcome,
} from "../model/transfers.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { amountIn, amountOr, chooseWallet, type Amount } from "./choose-wallets.ts";

/** The last digits of the address decide what the simulated network does. */
const addresses: Readonly<Record<TransferFate, string>> = {
  completed: `0x${"1".repeat(40)}`,
  refused: `0x${"1".repeat(36)}dead`,
  dropped: `0x${"1".repeat(36)}beef`,
};

/** Some amounts are below the minimum of the network, and some reach the threshold of the policy. */
const amount = amountOr(
  fc.oneof(
    { arbitrary: fc.integer({ min: 950_000, max: 60_000_000 }), weight: 1 },
    { arbitrary: fc.integer({ min: 300_000_000, max: 700_000_000 }), weight: 1 },
  ),
);

type Sending = { from: number; amount: number; fate: TransferFate };

type RawSending = Omit<Sending, "amount"> & { amount: Amount };

const send: Step<RawSending, Sending> = {
  name: "send a transfer",
  mustAnswer: ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  raw: fc.record({ from: choice, amount, fate: fc.constantFrom("completed", "completed", "refused", "dropped") }),
  // Every sixteenth choice is any wallet, perhaps of a currency without a network.
  resolve: ({ wallets }, raw) => {
    const from = raw.from % 16 === 15 ? (choosePlace(wallets, raw.from) ?? 0) : chooseWallet(wallets, "ETH", raw.from);
    return { from, fate: raw.fate, amount: amountIn(raw.amount, wallets[from], fee) };
  },
  expect: sendTransfer,
  act: async ({ platform, accountId, wallets, transfers }, { from, amount: sent, fate }) => {
    const initiatedBy = { kind: "apiKey", id: "key_1" } as const;
    const input = { walletId: wallets[from] ?? "", amount: sent, destinationAddress: addresses[fate] };
    const { id, approvalId } = await platform.inAccount(accountId, ({ custody }) =>
      custody.transfers.create({ accountId, initiatedBy, ...input }),
    );
    transfers.push({ id, approvalId });
  },
};

type OfTransfer = { transfer: number };

const cancel: Step<OfTransfer, OfTransfer> = {
  name: "cancel a transfer",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ transfer: choice }),
  resolve: ({ transfers }, raw) => {
    const isLikely = ({ status, isSubmitted }: Known): boolean => status === "initiated" && !isSubmitted;
    const transfer = choosePlace(transfers, raw.transfer, { isLikely });
    return transfer === null ? null : { transfer };
  },
  expect: cancelTransfer,
  act: async ({ platform, accountId, transfers }, { transfer }) => {
    const own = { id: transfers[transfer]?.id ?? "", accountId };
    await platform.inAccount(accountId, ({ custody }) => custody.transfers.cancel(own));
  },
};

type Deciding = OfTransfer & { decision: Decision };

const decide: Step<Deciding, Deciding> = {
  name: "decide on a transfer",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ transfer: choice, decision: fc.constantFrom("approved", "approved", "rejected") }),
  resolve: ({ transfers }, { decision, ...raw }) => {
    const fits = ({ approval }: Known): boolean => approval !== null;
    const isLikely = ({ approval }: Known): boolean => approval === "requested";
    const transfer = choosePlace(transfers, raw.transfer, { fits, isLikely });
    return transfer === null ? null : { transfer, decision };
  },
  expect: decideTransfer,
  act: async ({ platform, accountId, transfers }, { transfer, decision }) => {
    const id = transfers[transfer]?.approvalId ?? "";
    await platform.inAccount(accountId, ({ custody }) =>
      custody.approvals.decide({ id, accountId, personId: null, decision, comment: null }),
    );
  },
};

type Simulating = OfTransfer & { outcome: TransferOutcome };

const simulate: Step<Simulating, Simulating> = {
  name: "simulate a transfer",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ transfer: choice, outcome: fc.constantFrom("completed", "failed") }),
  resolve: ({ transfers }, { outcome, ...raw }) => {
    const isLikely = ({ status }: Known): boolean => status === "initiated" || status === "broadcast";
    const transfer = choosePlace(transfers, raw.transfer, { isLikely });
    return transfer === null ? null : { transfer, outcome };
  },
  expect: simulateTransfer,
  act: async ({ platform, accountId, transfers }, { transfer, outcome }) => {
    const id = transfers[transfer]?.id ?? "";
    await platform.inAccount(accountId, (services) => tellOutcome(services, { id, accountId, outcome }));
  },
};

/** Does the same as the operation `simulateTransfer` of the gateway. */
async function tellOutcome(
  { custody, work: { plannedFacts } }: Services,
  { id, accountId, outcome }: { id: string; accountId: string; outcome: TransferOutcome },
): Promise<void> {
  const named = { accountId, port: "chain" } as const;
  const factId = chainFactIds.outcome(id);
  await plannedFacts.hold({ ...named, factIds: [factId] });
  const transfer = await custody.transfers.holdSimulated({ id, accountId });
  if (transfer) {
    await plannedFacts.tellInstead({ ...named, factId, fact: factOf(transfer, outcome) });
  }
}

function factOf({ id: transferId, amount: amountMinor }: Transfer, outcome: TransferOutcome): TransferFact {
  return outcome === "completed"
    ? { type: "confirmed", transferId, transactionHash: "0x1", amountMinor, confirmations: 12 }
    : { type: "dropped", transferId, transactionHash: null };
}

export const transferSteps: WeightedStep[] = [
  weighted(11, send),
  weighted(4, cancel),
  weighted(4, decide),
  weighted(4, simulate),
];
