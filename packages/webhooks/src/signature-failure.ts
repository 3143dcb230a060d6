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

/** What happened and what to do about it, for the log of the receiver. */
export const signatureFailureMessages: Readonly<Record<SignatureFailureReason, string>> = {
  missing:
    "The request has no X-Service-Signature header. Every delivery has one: look for a proxy that drops it, or for another sender.",
  malformed:
    "The X-Service-Signature header is not of the form t=<unix seconds>,v1=<64 lowercase hex digits>, with one t and at least one v1. Hand it over unchanged.",
  expired:
    "The signature is authentic but older than the tolerance. Check the clock of this machine and how long requests wait before they are verified; if both are right, somebody sent a recorded delivery again.",
  in_future:
    "The signature is authentic but its time lies ahead by more than the tolerance. Check the clock of this machine.",
  mismatch:
    "No v1 signature fits the body and the secret. Check that the secret is that of this webhook (sandbox and production differ), without spaces or line ends, and that the body is the bytes received, not JSON that was parsed and written again.",
  body_not_raw:
    'The body is not text or bytes: it was parsed before verification. The signature covers the bytes received, so hand them over: in Express use express.raw({ type: "application/json" }) on this route, with a fetch Request use await request.text().',
  not_an_event:
    "The signature is authentic, but the body is not an event in JSON. Is the secret used for something else too?",
};

/** Answer 400 to a delivery that ends here. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: SignatureFailureReason;

  constructor(reason: SignatureFailureReason, options?: ErrorOptions) {
    super(signatureFailureMessages[reason], options);
    this.reason = reason;
  }
}
