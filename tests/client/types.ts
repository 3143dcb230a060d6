/**
 * Mistakes that must not compile, and code that must, for the type-check alone. Every line below `@ts-expect-error` is
 * a mistake, and one that compiles is an error. Checked against the source here, and against the packed declarations by
 * the TypeScript versions that the package supports.
 */
import {
  createClient,
  createOAuthSession,
  formatMoney,
  isGatewayError,
  parseMoney,
  type ApiKey,
  type Currency,
  type ErrorCodeOf,
  type Event,
  type KnownErrorCode,
  RateLimitError,
  ValidationError,
  type Page,
  type Schemas,
  type Wallet,
  type WalletCreate,
  type Webhook,
} from "gateway-api-client";
import {
  readRawBody,
  verifyWebhook,
  type EventType,
  type UnknownEvent,
  type WebhookEvent,
} from "gateway-api-client/webhooks";

/** Compiles when both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_isSame: Same<A, B>): void {}

const client = createClient({ apiKey: "gk_test_", environment: "sandbox" });

export async function pathCalls(): Promise<void> {
  const { data, meta, response } = await client.GET("/api/v1/wallets", { params: { query: { limit: 5 } } });
  same<typeof data, Schemas["Wallet"][]>(true);
  same<typeof meta, Schemas["ListMeta"]>(true);
  same<typeof response, Response>(true);
  const created = await client.POST("/api/v1/wallets", { body: { name: "a", currency: "EUR" }, idempotencyKey: "k" });
  same<typeof created.data, Schemas["Wallet"]>(true);
  await client.GET("/api/v1/account");
  await client.GET("/api/v1/account", { signal: AbortSignal.timeout(5), timeoutMs: 5, headers: { traceparent: "" } });
  // @ts-expect-error no such path
  await client.GET("/api/v1/wallet");
  // @ts-expect-error no such method on this path
  await client.DELETE("/api/v1/wallets");
  // @ts-expect-error the parameter is required
  await client.GET("/api/v1/wallets/{walletId}");
  // @ts-expect-error the parameter is required
  await client.GET("/api/v1/wallets/{walletId}", { params: { path: {} } });
  // @ts-expect-error no such parameter
  await client.GET("/api/v1/wallets", { params: { query: { limits: 5 } } });
  // @ts-expect-error the limit is a number
  await client.GET("/api/v1/wallets", { params: { query: { limit: "5" } } });
  // @ts-expect-error no such outcome
  await client.GET("/api/v1/deliveries", { params: { query: { outcome: "lost" } } });
  // @ts-expect-error the body is required
  await client.POST("/api/v1/wallets");
  // @ts-expect-error a field is missing
  await client.POST("/api/v1/wallets", { body: { name: "a" } });
  // @ts-expect-error no such field
  await client.POST("/api/v1/wallets", { body: { name: "a", currency: "EUR", balance: 5 } });
  // @ts-expect-error no such currency
  await client.POST("/api/v1/wallets", { body: { name: "a", currency: "DOGE" } });
  // @ts-expect-error only a POST has an idempotency key
  await client.GET("/api/v1/account", { idempotencyKey: "k" });
  // @ts-expect-error no such option
  await client.GET("/api/v1/account", { timeout: 5 });
  // @ts-expect-error no such field in the response
  void created.data.owner;
}

export async function nounCalls(): Promise<void> {
  same<Awaited<ReturnType<typeof client.wallets.get>>, Schemas["Wallet"]>(true);
  for await (const wallet of client.wallets.list({ limit: 5 }, { timeoutMs: 5 })) {
    same<typeof wallet, Schemas["Wallet"]>(true);
  }
  for await (const page of client.wallets.list().pages()) {
    same<typeof page, Page<Schemas["Wallet"]>>(true);
  }
  const webhook = await client.webhooks.create(
    { url: "https://a.example", events: ["wallet.created"] },
    { idempotencyKey: "k" },
  );
  same<typeof webhook, Schemas["WebhookWithSecret"]>(true);
  await client.webhooks.rollSecret(webhook.id);
  const whole = await client.wallets.get("wal_1").withResponse();
  same<typeof whole.data, Wallet>(true);
  same<typeof whole.meta, Schemas["Meta"]>(true);
  same<typeof whole.response, Response>(true);
  same<Awaited<ReturnType<ReturnType<typeof client.wallets.list>["toArray"]>>, Wallet[]>(true);
  await client.wallets.list().toArray(5);
  // @ts-expect-error an array has a limit
  await client.wallets.list().toArray();
  // @ts-expect-error no such noun
  await client.wallet.get("wal_1");
  // @ts-expect-error no such operation
  await client.wallets.delete("wal_1");
  // @ts-expect-error the id is required
  await client.wallets.get();
  // @ts-expect-error a field is missing
  await client.wallets.create({ name: "a" });
  // @ts-expect-error no such field
  await client.wallets.create({ name: "a", currency: "EUR", owner: "b" });
  // @ts-expect-error no such currency
  await client.wallets.create({ name: "a", currency: "eur" });
  // @ts-expect-error no such event type
  await client.webhooks.create({ url: "https://a.example", events: ["wallet.deleted"] });
  // @ts-expect-error no such parameter
  client.wallets.list({ page: 2 });
  // @ts-expect-error an update without a field says nothing
  await client.webhooks.update("whk_1");
  // @ts-expect-error an optional parameter is omitted, not undefined
  client.wallets.list({ limit: undefined });
}

export function named(wallet: Wallet, webhook: Webhook, key: ApiKey, event: Event): Schemas["WalletCreate"] {
  same<Wallet, Schemas["Wallet"]>(true);
  same<Currency, Schemas["Currency"]>(true);
  const body: WalletCreate = { name: key.name, currency: wallet.currency, metadata: { webhook: webhook.id } };
  // @ts-expect-error no such field
  void event.reason;
  return body;
}

export async function events(body: string, request: Request): Promise<number | string> {
  const event = await verifyWebhook(body, request.headers.get("x-service-signature"), "whsec");
  same<typeof event, WebhookEvent>(true);
  await verifyWebhook(await readRawBody(request), ["t=1,v1=2"], ["new", "old"], { toleranceSeconds: 5 });
  // @ts-expect-error a parsed body is not a raw body
  await verifyWebhook({ id: "evt_1" }, "t=1,v1=2", "whsec");
  // @ts-expect-error no such event type
  void (event.type === "wallet.deleted");
  // @ts-expect-error the object is not known before the type is
  void event.data.object.amount;
  if (event.type === "payment.settled") {
    same<typeof event.data.object, Schemas["Payment"]>(true);
    return event.data.object.amount;
  }
  if (event.type === "wallet.created") {
    same<typeof event.data.object, Schemas["Wallet"]>(true);
    // @ts-expect-error a wallet has no amount
    void event.data.object.amount;
  }
  switch (event.type) {
    case "kyc.verified":
      return event.data.object.id;
    default:
      return event.id;
  }
}

export function newerThanTheClient(event: WebhookEvent, wallet: Schemas["Wallet"]): void {
  // An extensible list accepts other strings, and keeps its own distinct.
  const outcome: Schemas["DeliveryOutcome"] = "rejected_by_policy";
  const code: Schemas["ErrorCode"] = "CODE_OF_LATER";
  const type: Schemas["Event"]["type"] = "wallet.frozen";
  same<Extract<Schemas["DeliveryOutcome"], "timeout">, "timeout">(true);
  same<Extract<Schemas["AnyEventType"], Schemas["EventType"]>, Schemas["EventType"]>(true);
  // A new field does no harm.
  const answered = { ...wallet, outcome, code, type };
  same<typeof answered extends Schemas["Wallet"] ? true : false, true>(true);
  // @ts-expect-error a list that is not extensible accepts no other value
  const status: Schemas["DeliveryStatus"] = "lost";
  void status;
  // A known type has its object.
  if (event.type === "payment.settled" || event.type === "payment.failed") {
    same<typeof event.data.object, Schemas["Payment"]>(true);
  } else if (event.type === "kyc.verified") {
    same<typeof event.data.object, Schemas["KycVerification"]>(true);
  } else if (event.type === "wallet.created") {
    same<typeof event.data.object, Schemas["Wallet"]>(true);
  }
  // An event of an unknown type may have any object.
  same<Exclude<WebhookEvent, { type: EventType }>, UnknownEvent>(true);
  same<UnknownEvent["data"]["object"][string], unknown>(true);
}

export function options(): void {
  const oauth = createOAuthSession({
    authUrl: "https://id.example",
    clientId: "app",
    redirectUri: "https://app.example",
  });
  createClient({ oauth, environment: "production" });
  createClient({
    oauth,
    environment: "sandbox",
    onRequest: ({ method, url, tryNumber }) => console.log(method, url, tryNumber),
    onResponse: async ({ status, requestId, durationMs }) => console.log(status.toFixed(), requestId, durationMs),
    onRetry: ({ error, delayMs }) => console.log(error.code, delayMs),
  });
  // @ts-expect-error a request is shown without its headers, which hold the credential
  createClient({ oauth, environment: "sandbox", onRequest: ({ headers }) => console.log(headers) });
  createClient({ accessToken: async () => "token", baseUrl: "https://a.example", fetch, maxRetries: 0 });
  // @ts-expect-error no credential
  createClient({ environment: "sandbox" });
  // @ts-expect-error two credentials
  createClient({ apiKey: "a", accessToken: "b", environment: "sandbox" });
  // @ts-expect-error no such environment
  createClient({ apiKey: "a", environment: "staging" });
  // @ts-expect-error no base URL
  createClient({ apiKey: "a" });
  // @ts-expect-error two base URLs
  createClient({ apiKey: "a", environment: "sandbox", baseUrl: "https://a.example" });
}

export function amounts(wallet: Wallet): number {
  same<ReturnType<typeof formatMoney>, string>(true);
  formatMoney(wallet.balance.available, wallet.currency, { locale: ["de-DE", "en"] });
  // @ts-expect-error an amount is an integer in minor units, not text
  formatMoney("10.50", "EUR");
  // @ts-expect-error no such currency
  formatMoney(1050, "DOGE");
  // @ts-expect-error a text is parsed, not a number
  parseMoney(10.5, "EUR");
  return parseMoney("10.50", wallet.currency);
}

export function errors(error: unknown): void {
  if (error instanceof ValidationError) {
    same<(typeof error.details)[number], Schemas["ErrorDetail"]>(true);
  }
  if (error instanceof RateLimitError) {
    same<typeof error.retryAfterMs, number | null>(true);
  }
  if (isGatewayError(error, "WEBHOOK_LIMIT_REACHED")) {
    same<typeof error.status, number | null>(true);
    same<typeof error.requestId, string | null>(true);
    same<typeof error.code, "WEBHOOK_LIMIT_REACHED">(true);
    same<typeof error.docsUrl, string | null>(true);
  }
  if (isGatewayError(error)) {
    same<Extract<typeof error.code, KnownErrorCode>, KnownErrorCode>(true);
    // A code that is newer than the client.
    void (error.code === "CODE_OF_LATER");
  }
  // @ts-expect-error no such code
  void isGatewayError(error, "WEBHOK_LIMIT_REACHED");
  if (isGatewayError(error, "WEBHOOK_LIMIT_REACHED", "webhooks.create")) {
    same<typeof error.code, "WEBHOOK_LIMIT_REACHED">(true);
  }
  void isGatewayError(error, "TIMEOUT", "webhooks.create");
  // @ts-expect-error this call never fails with it
  void isGatewayError(error, "WEBHOOK_LIMIT_REACHED", "wallets.create");
  // @ts-expect-error no such call
  void isGatewayError(error, "NOT_FOUND", "wallets.destroy");
  same<
    Extract<ErrorCodeOf<"apiKeys.revoke">, "LAST_ADMIN_KEY" | "LAST_OWNER" | "TIMEOUT">,
    "LAST_ADMIN_KEY" | "TIMEOUT"
  >(true);
  same<
    Extract<ErrorCodeOf<"people.remove">, "LAST_ADMIN_KEY" | "LAST_OWNER" | "PERSON_EXISTS">,
    "LAST_ADMIN_KEY" | "LAST_OWNER"
  >(true);
}
