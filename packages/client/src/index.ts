import type { OperationTypes, Paths, PublishedSchemas as Schemas } from "@gateway/contract/published";

export { createClient, type Client } from "./create-client.ts";
export type { ClientOptions, CredentialOptions, PlaceOptions } from "./client-options.ts";
export type { CallOptions, PostOptions } from "./call-options.ts";
export type { AccessTokens, AccessTokenSource } from "./credential.ts";
export type { Followed, FollowedPage, FollowedRequests, FollowOptions } from "./follow.ts";
export type { List, Page } from "./list.ts";
export type { CallPromise, Opened } from "./call-promise.ts";
export type { PathCall } from "./operation-types.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
export type * from "./generated/types.ts";
export type { RateLimit } from "./rate-limit.ts";
export type { Service } from "./generated/services.ts";
export type { ServiceUrls } from "./service-urls.ts";
export type { Resources } from "./generated/resources.ts";
export * from "./errors/answer-errors.ts";
export {
  GatewayError,
  type ErrorCode,
  type ErrorCodeOf,
  type ErrorDetail,
  type KnownErrorCode,
} from "./errors/gateway-error.ts";
export { isGatewayError } from "./errors/is-gateway-error.ts";
export { formatMoney, type FormatMoneyOptions } from "./money/format-money.ts";
export { MoneyError, type MoneyErrorReason } from "./money/money-error.ts";
export { parseMoney } from "./money/parse-money.ts";
export { authorizeUrl, type AuthorizeUrlInput } from "./oauth/authorize-url.ts";
export { OAuthError } from "./oauth/oauth-error.ts";
export {
  createOAuthSession,
  type BeginOptions,
  type OAuthOptions,
  type OAuthSession,
  type PendingSignIn,
} from "./oauth/oauth-session.ts";
export { createPkcePair, type PkcePair } from "./oauth/pkce.ts";
export { createMemoryTokenStore, type OAuthTokens, type TokenStore } from "./oauth/token-store.ts";
export type { EventType, UnknownEvent, WebhookEvent } from "./webhooks/webhook-event.ts";

export type { OperationTypes, Paths, Schemas };
