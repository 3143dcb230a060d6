/** How money goes to an account at a bank. */
export type RailName = "sepa" | "ach" | "faster_payments" | "zengin";

/** Amounts are minor units. Rejects when the rail cannot be asked now; then it is asked again. */
export interface Rail {
  /** Pays once for the same payment, however often it is asked. `accountNumber` is in clear and for the rail alone. */
  submit(input: {
    accountId: string;
    paymentId: string;
    rail: RailName;
    amountMinor: number;
    currency: "EUR" | "GBP" | "USD" | "JPY";
    accountNumber: string;
  }): Promise<{ reference: string }>;
  /** Asks that it be not paid. Only a fact tells whether it was: silence is no answer. */
  cancel(input: { accountId: string; paymentId: string }): Promise<void>;
}

/**
 * What a rail tells of a payment of ours. Returns of one payment come to its amount at most, in any number of parts.
 */
export type RailFact =
  | { type: "settled"; paymentId: string; amountMinor: number }
  | { type: "refused"; paymentId: string; code: "rail_refused" | "expired" }
  | { type: "returned"; paymentId: string; amountMinor: number };
