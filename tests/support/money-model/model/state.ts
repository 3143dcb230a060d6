export type Currency = "EUR" | "USD" | "ETH";

/** Amounts are minor units of the currency. */
export type Wallet = {
  currency: Currency;
  status: "active" | "frozen" | "closed";
  available: number;
  held: number;
};

/** A ledger account of the customer's own bookkeeping, in EUR. */
type OwnAccount = { mayBeNegative: boolean; balance: number };

/** The places outside the account that its money comes from and goes to. */
type Clearing = "equity" | "rail" | "chain" | "venue" | "fees";

/** A positive amount comes in, a negative one goes out. */
export type Entry = { amount: number } & (
  | { wallet: Wallet; part: "available" | "held" }
  | { own: OwnAccount }
  | { clearing: Clearing; currency: Currency }
);

/** A ledger transaction that a later step may try to reverse. Only one that was booked by hand can be reversed. */
export type Booking = { kind: "opening" } | { kind: "manual"; entries: readonly Entry[]; isReversed: boolean };

export type Payment = {
  from: number;
  /** Null for a payment to a wallet, which was booked at once. */
  counterparty: number | null;
  amount: number;
  fee: number;
  status: "initiated" | "settled" | "failed";
  failure: string | null;
  returned: number;
  createdAtMs: number;
  submittedAtMs: number | null;
  /** When the planned facts of the rail arrive. */
  outcomeAtMs: number | null;
  returnAtMs: number | null;
};

/** The address of a transfer decides what the network does with it. */
export type TransferFate = "completed" | "refused" | "dropped";

export type Transfer = {
  from: number;
  amount: number;
  fate: TransferFate;
  status: "initiated" | "broadcast" | "completed" | "rejected" | "canceled" | "failed";
  failure: string | null;
  /** Null: it needs none. */
  approval: "requested" | "approved" | "rejected" | "expired" | "canceled" | null;
  createdAtMs: number;
  /** When it may be sent. Null while it waits for an approval. */
  readyAtMs: number | null;
  isSubmitted: boolean;
  outcomeAtMs: number | null;
};

/** The exact sums of fills before any rounding: quantity × price, and the same times the basis points of the fee. */
export type Sums = { notional: bigint; fee: bigint };

type Side = "buy" | "sell";

/** The terms of a new order. A market buy has an amount of the quote, every other order has a quantity. */
export type Terms = {
  market: number;
  side: Side;
  base: number;
  quote: number;
  quantity: number | null;
  quoteAmount: number | null;
  /** Null: a market order. */
  limit: number | null;
};

export type Order = Terms & {
  status: "accepted" | "open" | "partially_filled" | "filled" | "canceled" | "expired" | "replaced" | "rejected";
  filled: number;
  /** The sums of its own fills, and for a buy the sums of the orders that it has replaced. */
  own: Sums;
  carried: Sums;
  /** The fee charged so far. */
  fee: number;
  hold: number;
  charged: number;
  /** The order that it is to replace, until that has ended. */
  waitsFor: number | null;
  /** The quantity of both, when it replaces one. */
  total: number;
  replacement: number | null;
  isCancelRequested: boolean;
  /** Whether the order was handed to the venue. */
  isHandedOver: boolean;
  /** Whether a fill was applied that the venue can repeat. */
  hasFill: boolean;
};

/**
 * The expected books of one account. Each resource is named by its place in these lists. The model does not know the
 * ids of the platform.
 */
export type Money = {
  /** The account's own time, counted from the beginning. */
  nowMs: number;
  wallets: Wallet[];
  ownAccounts: OwnAccount[];
  bookings: Booking[];
  payments: Payment[];
  transfers: Transfer[];
  orders: Order[];
  /** Balances of the clearing accounts, such as `EUR fees`. */
  clearing: Record<string, number>;
  /** How many ledger transactions there are of each kind. */
  transactions: Record<string, number>;
};
