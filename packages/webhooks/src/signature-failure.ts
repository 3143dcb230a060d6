export type SignatureFailureReason =
  /** There is no signature header. */
  | "missing"
  /** The header is not of the form `t=<unix seconds>,v1=<hex>`. */
  | "malformed"
  /** Authentic, but signed longer ago than the tolerance: perhaps recorded and played again. */
  | "expired"
  /** Authentic, but signed further ahead than the tolerance: one of the two clocks is wrong. */
  | "in_future"
  /** No signature fits body and secret. */
  | "mismatch"
  /** The body was parsed before it came here. */
  | "body_not_raw"
  /** Authentic, but not an event. */
  | "not_an_event";

/**
 * The fault and its remedy, for the log of the receiver. They are short, because they are a fifth of the code that a
 * browser loads to verify.
 */
export const signatureFailureMessages: Readonly<Record<SignatureFailureReason, string>> = {
  missing: "There is no X-Service-Signature header.",
  malformed: "The X-Service-Signature header is not t=<unix seconds>,v1=<hex>.",
  expired: "The signature is too old: check the clock of this machine.",
  in_future: "The signature is ahead of time: check the clock of this machine.",
  mismatch: "No signature fits: check that the secret is that of this webhook and the body is the bytes received.",
  body_not_raw: "The body is parsed: hand over the bytes received, by express.raw().",
  not_an_event: "The body is not an event.",
};

/** Respond with 400 to a delivery that ends here. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  declare readonly reason: SignatureFailureReason;

  constructor(reason: SignatureFailureReason, options?: ErrorOptions) {
    super(signatureFailureMessages[reason], options);
    this.reason = reason;
  }
}
