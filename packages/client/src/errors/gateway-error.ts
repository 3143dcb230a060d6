import type { PublishedSchemas as Schemas } from "@gateway/contract/published";
import type { CallErrorCodes } from "../generated/error-codes.ts";
import { readRateLimit, type RateLimit } from "../rate-limit.ts";

/** One offending field and what is wrong with it. */
export type ErrorDetail = Schemas["ErrorDetail"];

/**
 * A code of the document, or one that is newer than this client. Failures without a response of the gateway have a code
 * of the client's own.
 */
export type ErrorCode = Schemas["ErrorCode"] | "CONNECTION_FAILED" | "TIMEOUT" | "INVALID_ANSWER";

/** The codes of today, without the texts that may come. */
export type KnownErrorCode = KnownIn<ErrorCode>;

/** The codes of today that a call may fail with: `ErrorCodeOf<"webhooks.create">`. */
export type ErrorCodeOf<Call extends keyof CallErrorCodes> =
  | CallErrorCodes[Call]
  | Exclude<KnownErrorCode, KnownIn<Schemas["ErrorCode"]>>;

/** An empty record matches a record of any string, but not a record of named ones. */
type KnownIn<Text extends string> = Text extends Text
  ? Record<never, never> extends Record<Text, 1>
    ? never
    : Text
  : never;

export type ErrorFields<Code extends ErrorCode = ErrorCode> = {
  status: number | null;
  code: Code;
  details?: readonly ErrorDetail[] | undefined;
  docsUrl?: string | undefined;
  requestId?: string | null | undefined;
  headers?: Headers | undefined;
  cause?: unknown;
};

/** Any failure of a call, except its own AbortSignal. Holds no part of the request but its method and path. */
export class GatewayError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = "GatewayError";
  /** The status of the response; null when there was none. */
  readonly status: number | null;
  readonly code: Code;
  /** The offending fields; empty when no single field is to blame. */
  readonly details: readonly ErrorDetail[];
  /** The page of the code: its cause and its remedy. Null where the deployment has none, and without a response. */
  readonly docsUrl: string | null;
  /** Names the request in the gateway's log: quote it when you ask about it. */
  readonly requestId: string | null;
  /** The headers of the response. */
  readonly headers: Headers;
  /** How many tries were made. A DELETE that is not found at its second try was done by the first. */
  tries = 1;

  constructor(message: string, { cause, ...fields }: ErrorFields<Code>) {
    super(message, { cause });
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.docsUrl = fields.docsUrl ?? null;
    this.headers = fields.headers ?? new Headers();
    this.requestId = fields.requestId ?? this.headers.get("X-Request-Id");
  }

  get rateLimit(): RateLimit | null {
    return readRateLimit(this.headers);
  }
}
