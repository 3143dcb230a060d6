/** The fault of an amount or its string. */
export type MoneyErrorReason =
  | "currency_unknown"
  | "currency_other"
  | "not_an_amount"
  | "too_many_decimals"
  | "too_large";

/**
 * An amount that cannot be shown, or a string that is not an amount. `message` is for people and says what to write
 * instead.
 */
export class MoneyError extends Error {
  override name = "MoneyError";
  readonly reason: MoneyErrorReason;

  constructor(reason: MoneyErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
