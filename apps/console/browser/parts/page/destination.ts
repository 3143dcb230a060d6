import type { LogFilterName } from "../../data/log-filters.ts";

type Times = "range" | "since" | "until";

/** The screens, and the parameters that each reads from its address in addition to `do` and `open`. */
type ScreenParameters = {
  "/": never;
  "/inbox": "queue" | "status" | "range" | "reference" | "externalId";
  "/wallets": "currency" | "status" | "range" | "externalId";
  "/payments": "status" | "range" | "walletId" | "externalId" | "to";
  "/counterparties": "range" | "externalId";
  "/transfers": "view" | "status" | "range" | "walletId" | "externalId" | "rule";
  "/orders": "status" | "range" | "symbol" | "externalId";
  "/ledger": "view" | "kind" | "range" | "externalId" | "at";
  "/logs": "view" | "console" | LogFilterName | Times;
  "/usage": "by" | "interval" | Times;
  "/webhooks": never;
  "/deliveries": "status" | "eventType" | "outcome" | "webhookId" | "eventId" | "requestId" | Times;
  "/events": "type" | "objectId" | "requestId" | Times;
  "/keys": never;
  "/applications": never;
  "/sandbox": never;
  "/try": "q";
  "/people": never;
  "/settings": never;
};

export type ScreenPath = keyof ScreenParameters;

type Place<Path extends ScreenPath> = {
  to: Path;
  open?: string | undefined;
  search?: { readonly [Name in "do" | ScreenParameters[Path]]?: string | undefined };
};

export type Destination = { [Path in ScreenPath]: Place<Path> }[ScreenPath];
