/** Every error the gateway can answer: HTTP status and the title an error page carries. The document's ErrorCode lists the same. */
export const problemCodes = {
  INVALID_REQUEST: { status: 400, title: "The request does not fit the document" },
  UNAUTHENTICATED: { status: 401, title: "Credentials are missing or wrong" },
  FORBIDDEN: { status: 403, title: "The credential lacks the permission" },
  NOT_FOUND: { status: 404, title: "There is no such thing here" },
  METHOD_NOT_ALLOWED: { status: 405, title: "The path does not take this method" },
  IDEMPOTENCY_KEY_REUSED: { status: 409, title: "The idempotency key belongs to another request" },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, title: "The first request with this idempotency key still runs" },
  API_KEY_NOT_ACTIVE: { status: 409, title: "The API key is revoked, expired or already rolled" },
  LAST_OWNER: { status: 409, title: "An account keeps at least one owner" },
  OAUTH_APPLICATION_LIMIT_REACHED: { status: 409, title: "The account has as many OAuth applications as it may have" },
  PERSON_EXISTS: { status: 409, title: "The e-mail address belongs to a person of the account already" },
  PERSON_LIMIT_REACHED: { status: 409, title: "The account has as many people as it may have" },
  WEBHOOK_LIMIT_REACHED: { status: 409, title: "The account has as many webhooks as it may have" },
  WEBHOOK_NOT_ENABLED: { status: 409, title: "The webhook is disabled, failed or deleted" },
  PAYLOAD_TOO_LARGE: { status: 413, title: "The body is too large" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: "The body is not plain JSON" },
  RATE_LIMITED: { status: 429, title: "Too many requests" },
  HEADERS_TOO_LARGE: { status: 431, title: "The headers are too large" },
  INTERNAL_ERROR: { status: 500, title: "Something failed on our side" },
  UNAVAILABLE: { status: 503, title: "A part that this request needs is away" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCodes;
