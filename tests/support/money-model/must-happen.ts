import type { Schemas } from "@gateway/contract";

/** The results that each kind of step must have had. */
const answers: Readonly<Record<string, readonly string[]>> = {
  "open a wallet": ["done"],
  "fund a wallet": ["done"],
  "freeze a wallet": ["done", "INVALID_STATE"],
  "unfreeze a wallet": ["done", "INVALID_STATE"],
  "close a wallet": ["done", "WALLET_NOT_EMPTY"],
  "move between wallets by hand": ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  "move between own ledger accounts": ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST"],
  "reverse a booking": ["done", "ALREADY_REVERSED", "INSUFFICIENT_FUNDS", "INVALID_STATE", "WALLET_NOT_ACTIVE"],
  "pay a wallet": ["done", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  "pay a counterparty": ["done", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  "cancel a payment": ["done", "INVALID_STATE"],
  "simulate a payment": ["done", "INVALID_STATE"],
  "send a transfer": ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  "cancel a transfer": ["done", "INVALID_STATE"],
  "decide on a transfer": ["done", "INVALID_STATE"],
  "simulate a transfer": ["done", "INVALID_STATE"],
  "place an order": ["done", "INSUFFICIENT_FUNDS", "WALLET_NOT_ACTIVE"],
  "ask for the end of an order": ["done", "INVALID_STATE"],
  "replace an order": ["done", "INVALID_REQUEST", "INVALID_STATE"],
  "the venue accepts an order": ["applied", "superseded"],
  "the venue rejects an order": ["applied", "mismatched"],
  "the venue fills an order": ["applied", "mismatched"],
  "the venue tells a fill again": ["known", "mismatched", "superseded"],
  "the venue ends an order": ["applied", "mismatched", "superseded"],
  "the venue ends an order before it tells the last fill": ["parked, applied", "mismatched, applied"],
  "advance the clock": ["done"],
};

/** The states that some resource must have after a sequence. */
const states: Readonly<Record<string, readonly string[]>> = {
  wallet: ["active", "frozen", "closed"],
  payment: ["initiated", "settled", "canceled", "insufficient_funds", "compliance_block", "rail_refused", "expired"],
  transfer: ["initiated", "broadcast", "completed", "canceled", "network_refused", "network_dropped"],
  approval: ["requested", "approved", "rejected", "expired", "canceled", "not needed"],
  order: ["accepted", "open", "partially_filled", "filled", "canceled", "expired", "replaced", "rejected"],
};

/**
 * Whether the steps book each kind of ledger transaction. A kind that is missing here does not compile. Deposits come
 * from a chain, which only the storm has.
 */
const kinds: Readonly<Record<Schemas["LedgerTransactionKind"], boolean>> = {
  ...{ opening: true, deposit: false, payment: true, return: true, transfer: true },
  ...{ fill: true, hold: true, release: true, manual: true, reversal: true },
};

/** Everything that must happen in a run. A run without some of it would show less than it claims. */
export const mustHappen: readonly string[] = [
  ...Object.entries(answers).flatMap(([step, those]) => those.map((answer) => `${step}: ${answer}`)),
  ...Object.entries(kinds).flatMap(([kind, isBooked]) => (isBooked ? [`booked ${kind}`] : [])),
  ...Object.entries(states).flatMap(([thing, those]) => those.map((state) => `${thing} ${state}`)),
];
