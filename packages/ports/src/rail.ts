/** The system that carries money to an account at a bank. */
export type RailName = "sepa" | "ach" | "faster_payments" | "zengin";

/** Amounts are minor units. A call rejects when the rail is unavailable, and is then repeated. */
export interface Rail {
  /** Pays a payment once, however often it is called. `accountNumber` is in clear and for the rail alone. */
  submit(input: {
    accountId: string;
    paymentId: string;
    rail: RailName;
    amountMinor: number;
    currency: "EUR" | "GBP" | "USD" | "JPY";
    accountNumber: string;
  }): Promise<{ reference: string }>;
  /** Requests that the payment is not made. Only a fact reports whether it was made. */
  cancel(input: { accountId: string; paymentId: string }): Promise<void>;
}

/**
 * A rail's report of our payment. Returns of one payment come to its amount at most, in any number of parts.
 */
export type RailFact =
  | { type: "settled"; paymentId: string; amountMinor: number }
  | { type: "refused"; paymentId: string; code: "rail_refused" | "expired" }
  | { type: "returned"; paymentId: string; amountMinor: number };
