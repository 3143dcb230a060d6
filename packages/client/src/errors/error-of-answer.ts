import type { PublishedSchemas as Schemas } from "@gateway/contract/published";
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./answer-errors.ts";
import { GatewayError, type ErrorFields } from "./gateway-error.ts";

const classes: Readonly<Record<number, new (message: string, fields: ErrorFields) => GatewayError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error for a response. One of a proxy, without our envelope, gets a code of its status and none of its text. */
export function errorOfAnswer(call: string, { status, headers }: Response, body: unknown): GatewayError {
  // The gateway's errors have this shape. A body of another sender lacks the fields, and each has a default.
  const { error, meta } = Object(body) as Partial<Schemas["ErrorEnvelope"]>;
  const { code = `HTTP_${status}`, message = "The response is not the gateway's.", details, docsUrl } = error ?? {};
  const requestId = meta?.requestId ?? headers.get("X-Request-Id");
  const ErrorClass = classes[status] ?? (status < 500 ? GatewayError : ServerError);
  const text = `${call}: ${status} ${code}. ${message}${requestId ? ` (${requestId})` : ""}`;
  return new ErrorClass(text, { status, code, details, docsUrl, requestId, headers });
}
