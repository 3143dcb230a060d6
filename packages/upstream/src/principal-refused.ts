/** The request does not come from the gateway, or came before. Respond with 401, and do nothing. */
export class PrincipalRefused extends Error {
  readonly reason: "missing" | "forged" | "stale" | "other_request" | "replayed";

  constructor(reason: PrincipalRefused["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PrincipalRefused";
    this.reason = reason;
  }
}
