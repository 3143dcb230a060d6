import { demandedMaxAge } from "../transport/demanded-max-age.ts";
import { demandedWaitMs } from "../transport/demanded-wait.ts";
import { GatewayError } from "./gateway-error.ts";

/** 400: the request does not fit the document; `details` names the fields. */
export class ValidationError extends GatewayError {
  override name = "ValidationError";
}

/** 401: the credential is missing, unknown, expired, revoked or of the other environment. */
export class AuthenticationError extends GatewayError {
  override name = "AuthenticationError";
  /**
   * With `FRESH_SIGN_IN_REQUIRED`, how long ago the person may have signed in: send them to sign in again with it. Null
   * otherwise.
   */
  readonly maxAgeSeconds: number | null = demandedMaxAge(this.headers);
}

/** 403: the credential is valid, but its permission does not cover this operation. */
export class PermissionError extends GatewayError {
  override name = "PermissionError";
}

/** 404: there is no such thing in this account. */
export class NotFoundError extends GatewayError {
  override name = "NotFoundError";
}

/** 409: the request contradicts how things stand; `code` says how. */
export class ConflictError extends GatewayError {
  override name = "ConflictError";
}

/** 429: the account is over its rate limit, and the retries or the time for the call did not suffice to wait. */
export class RateLimitError extends GatewayError {
  override name = "RateLimitError";
  /** How long to wait, counted from the response; null when it does not say. */
  readonly retryAfterMs: number | null = demandedWaitMs(this.headers);
}

/** 500 and above: something failed on the gateway's side, or in between. */
export class ServerError extends GatewayError {
  override name = "ServerError";
}

/** There was no whole answer: no connection, or it broke off. */
export class ConnectionError extends GatewayError {
  override name = "ConnectionError";
}

/** There was no whole answer in time. */
export class TimeoutError extends GatewayError {
  override name = "TimeoutError";
}
