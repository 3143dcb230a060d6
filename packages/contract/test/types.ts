import { expectTypeOf } from "vitest";
import type {
  EventPayloads,
  EventType,
  EventsByType,
  eventTypes,
  OperationId,
  OperationInput,
  OperationResult,
  Schemas,
} from "../src/index.ts";

// Guarantees of the generated types. The type-check fails here; there is nothing to run.

// An operation's input has the query parameters that the validator fills in, and may lack the others.
expectTypeOf<OperationInput<"listPeople">["query"]>().toEqualTypeOf<Readonly<{ limit: number; cursor?: string }>>();
expectTypeOf<OperationInput<"listDeliveries">["query"]>().toEqualTypeOf<
  Readonly<{
    limit: number;
    cursor?: string;
    webhookId?: string;
    eventId?: string;
    status?: string;
    eventType?: EventType;
    outcome?:
      | "delivered"
      | "http_error"
      | "timeout"
      | "connection_failed"
      | "tls_failed"
      | "headers_too_large"
      | "invalid_response"
      | "blocked";
    requestId?: string;
    since?: string;
    until?: string;
  }>
>();

// An operation's input has the body without undefined.
expectTypeOf<OperationInput<"createWallet">["body"]>().toEqualTypeOf<Schemas["WalletCreate"]>();
expectTypeOf<OperationInput<"rollApiKey">["body"]>().toEqualTypeOf<{ overlapSeconds: number }>();

// An operation's input has the fields of the body that the validator fills in.
expectTypeOf<OperationInput<"rollWebhookSecret">["body"]>().toEqualTypeOf<Readonly<{ overlapSeconds: number }>>();

// An operation's input has no body where the operation takes none.
expectTypeOf<OperationInput<"getWallet">["body"]>().toEqualTypeOf<undefined>();
expectTypeOf<OperationInput<"enableWebhook">["body"]>().toEqualTypeOf<undefined>();
expectTypeOf<{ path: { walletId: string }; query: {}; body: {} }>().not.toExtend<OperationInput<"getWallet">>();

// An operation's input has the path parameters, including those of the path item.
expectTypeOf<OperationInput<"getWallet">["path"]>().toEqualTypeOf<Readonly<{ walletId: string }>>();
expectTypeOf<OperationInput<"rollApiKey">["path"]>().toEqualTypeOf<Readonly<{ apiKeyId: string }>>();
expectTypeOf<keyof OperationInput<"listWallets">["path"]>().toBeNever();

// An operation's result is the success status with the data of that status.
expectTypeOf<OperationResult<"createWallet">["status"]>().toEqualTypeOf<201>();
expectTypeOf<OperationResult<"createWallet">["data"]>().toEqualTypeOf<Schemas["Wallet"]>();
expectTypeOf<OperationResult<"rollApiKey">["data"]>().toEqualTypeOf<Schemas["ApiKeyWithSecret"]>();

// An operation's result of a list has hasMore and nextCursor, and leaves the rest of meta to the pipeline.
expectTypeOf<OperationResult<"listWallets">["meta"]>().toEqualTypeOf<
  Readonly<{ hasMore: boolean; nextCursor: string | null }>
>();
expectTypeOf<OperationResult<"listWallets">["data"]>().toEqualTypeOf<Schemas["Wallet"][]>();

// An operation's result of one resource has no meta of its own.
expectTypeOf<OperationResult<"getWallet">["meta"]>().toEqualTypeOf<undefined>();
expectTypeOf<{ status: 200; data: Schemas["Account"] }>().toExtend<OperationResult<"getAccount">>();
expectTypeOf<{ status: 201; data: Schemas["Account"] }>().not.toExtend<OperationResult<"getAccount">>();

// The events have a payload by type.
expectTypeOf<EventPayloads["wallet.created"]>().toEqualTypeOf<Schemas["Wallet"]>();
expectTypeOf<EventPayloads["payment.settled"]>().toEqualTypeOf<Schemas["Payment"]>();
expectTypeOf<keyof EventPayloads>().toEqualTypeOf<EventType>();

// The events are distinguished by their type.
expectTypeOf<Extract<EventsByType[EventType], { type: "kyc.verified" }>>().toEqualTypeOf<
  EventsByType["kyc.verified"]
>();

// The events have a list that names every type.
expectTypeOf<(typeof eventTypes)[number]>().toEqualTypeOf<EventType>();

// An API key with its secret is an API key and a secret.
expectTypeOf<Omit<Schemas["ApiKeyWithSecret"], "secret">>().toEqualTypeOf<Schemas["ApiKey"]>();

// A webhook with its secret is a webhook and a secret. A delivery with its attempts adds its made and planned attempts.
expectTypeOf<Omit<Schemas["WebhookWithSecret"], "secret">>().toEqualTypeOf<Schemas["Webhook"]>();
expectTypeOf<Omit<Schemas["DeliveryWithAttempts"], "requestId" | "attempts" | "schedule">>().toEqualTypeOf<
  Schemas["Delivery"]
>();

// A table of handlers must name every operation.
type Table = { [Id in OperationId]: (input: OperationInput<Id>) => OperationResult<Id> };
expectTypeOf<Omit<Table, "getWallet">>().not.toExtend<Table>();
