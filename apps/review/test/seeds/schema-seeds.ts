import {
  at,
  drop,
  field,
  list,
  operation,
  remove,
  schema,
  replaceEverywhere,
  replaceReferences,
} from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** Changes of requests and responses. */
export const schemaSeeds: readonly Seed[] = [
  {
    name: "no more promise that codes may be added",
    edit: (draft) => remove(schema(draft, "ErrorCode"), "x-extensible"),
    says: ["additive response-list-closed:ErrorCode"],
    back: ["breaking response-list-opened:ErrorCode"],
  },
  {
    name: "a component under another name",
    edit: (draft) => {
      const schemas = at(draft, "components", "schemas");
      schemas["Purse"] = at(schemas, "Wallet");
      remove(schemas, "Wallet");
      replaceEverywhere(draft, "#/components/schemas/Wallet", "#/components/schemas/Purse");
    },
    says: ["breaking schema-renamed:Wallet"],
    back: ["breaking schema-renamed:Purse"],
  },
  {
    name: "a component that is written in place alone",
    edit: (draft) => {
      const used = structuredClone(schema(draft, "Balance"));
      remove(at(draft, "components", "schemas"), "Balance");
      replaceReferences(draft, "#/components/schemas/Balance", used);
    },
    says: ["attention schema-inlined:Balance"],
    back: [],
  },
  {
    name: "a request field made required",
    edit: (draft) => {
      list(schema(draft, "WalletCreate"), "required").push("metadata");
    },
    says: ["breaking request-field-required:WalletCreate.metadata"],
    back: ["additive request-field-optional:WalletCreate.metadata"],
  },
  {
    name: "a request field made optional",
    edit: (draft) => drop(list(schema(draft, "WalletCreate"), "required"), "name"),
    says: ["additive request-field-optional:WalletCreate.name"],
    back: ["breaking request-field-required:WalletCreate.name"],
  },
  {
    name: "a request field added, optional",
    edit: (draft) => {
      at(schema(draft, "WalletCreate"), "properties")["colour"] = { type: "string" };
    },
    says: ["additive request-field-added:WalletCreate.colour"],
    back: ["breaking request-field-removed:WalletCreate.colour"],
  },
  {
    name: "a request field added, required",
    edit: (draft) => {
      at(schema(draft, "WalletCreate"), "properties")["colour"] = { type: "string" };
      list(schema(draft, "WalletCreate"), "required").push("colour");
    },
    says: ["breaking request-required-field-added:WalletCreate.colour"],
    back: ["breaking request-field-removed:WalletCreate.colour"],
  },
  {
    name: "a request field removed",
    edit: (draft) => remove(at(schema(draft, "WalletCreate"), "properties"), "metadata"),
    says: ["breaking request-field-removed:WalletCreate.metadata"],
    back: ["additive request-field-added:WalletCreate.metadata"],
  },
  {
    name: "an enum value added on both sides, in a list that is not said to grow",
    edit: (draft) => {
      list(schema(draft, "Permission"), "enum").push("owner");
    },
    says: ["attention response-value-added:Permission=owner", "additive request-value-added:Permission=owner"],
    back: ["attention response-value-removed:Permission=owner", "breaking request-value-removed:Permission=owner"],
  },
  {
    name: "an enum value removed on both sides",
    edit: (draft) => drop(list(schema(draft, "Permission"), "enum"), "admin"),
    says: ["breaking request-value-removed:Permission=admin", "attention response-value-removed:Permission=admin"],
    back: ["additive request-value-added:Permission=admin", "attention response-value-added:Permission=admin"],
  },
  {
    name: "an enum value added to answers only",
    edit: (draft) => {
      list(schema(draft, "WebhookStatus"), "enum").push("paused");
    },
    says: ["attention response-value-added:WebhookStatus=paused"],
    back: ["attention response-value-removed:WebhookStatus=paused"],
  },
  {
    name: "an enum value added to requests only",
    edit: (draft) => {
      at(schema(draft, "WalletCreate"), "properties")["currency"] = {
        type: "string",
        description: "The currency that the wallet holds. It cannot be changed later.",
        enum: [...list(schema(draft, "Currency"), "enum"), "CHF"],
        "x-decimal-places": at(schema(draft, "Currency"), "x-decimal-places"),
        examples: ["EUR"],
      };
    },
    says: ["additive request-value-added:WalletCreate.currency=CHF"],
    back: ["breaking request-value-removed:WalletCreate.currency=CHF"],
  },
  {
    name: "an error code added, which the document says may happen",
    edit: (draft) => {
      list(schema(draft, "ErrorCode"), "enum").push("TEAPOT");
    },
    says: ["additive response-listed-value-added:ErrorCode=TEAPOT"],
    back: ["attention response-value-removed:ErrorCode=TEAPOT"],
  },
  {
    name: "an error code removed",
    edit: (draft) => drop(list(schema(draft, "ErrorCode"), "enum"), "WEBHOOK_NOT_ENABLED"),
    says: ["attention response-value-removed:ErrorCode=WEBHOOK_NOT_ENABLED"],
    back: ["additive response-listed-value-added:ErrorCode=WEBHOOK_NOT_ENABLED"],
  },
  {
    name: "a request's limit lowered",
    edit: (draft) => {
      schema(draft, "WebhookUrl")["maxLength"] = 255;
    },
    says: [
      "breaking request-limit-tightened:WebhookUrl=maxLength=255",
      "additive response-limit-tightened:WebhookUrl=maxLength=255",
    ],
    back: [
      "additive request-limit-relaxed:WebhookUrl=maxLength=2048",
      "attention response-limit-relaxed:WebhookUrl=maxLength=2048",
    ],
  },
  {
    name: "a limit raised",
    edit: (draft) => {
      schema(draft, "WebhookUrl")["maxLength"] = 4096;
    },
    says: [
      "attention response-limit-relaxed:WebhookUrl=maxLength=4096",
      "additive request-limit-relaxed:WebhookUrl=maxLength=4096",
    ],
    back: [
      "additive response-limit-tightened:WebhookUrl=maxLength=2048",
      "breaking request-limit-tightened:WebhookUrl=maxLength=2048",
    ],
  },
  {
    name: "a page that may be longer",
    edit: (draft) => {
      field(draft, "WalletListEnvelope", "data")["maxItems"] = 500;
    },
    says: ["attention response-limit-relaxed:WalletListEnvelope.data=maxItems=500"],
    back: ["additive response-limit-tightened:WalletListEnvelope.data=maxItems=100"],
  },
  {
    name: "a pattern changed",
    edit: (draft) => {
      schema(draft, "WalletId")["pattern"] = "^wal_[0-9]{20}$";
    },
    says: [
      "breaking request-pattern-changed:WalletId",
      "attention response-pattern-changed:LedgerAccount.walletId",
      "attention response-pattern-changed:WalletId",
    ],
    back: [
      "attention response-pattern-changed:LedgerAccount.walletId",
      "attention response-pattern-changed:WalletId",
      "breaking request-pattern-changed:WalletId",
    ],
  },
  {
    name: "the default of a body's field changed",
    edit: (draft) => {
      field(draft, "WebhookSecretRoll", "overlapSeconds")["default"] = 3600;
    },
    says: ["breaking request-default-changed:WebhookSecretRoll.overlapSeconds"],
    back: ["breaking request-default-changed:WebhookSecretRoll.overlapSeconds"],
  },
  {
    name: "null no longer taken in a request",
    edit: (draft) => {
      at(schema(draft, "WebhookUpdate"), "properties")["description"] = {
        $ref: "#/components/schemas/WebhookDescription",
        description: "The purpose of the webhook, or null to remove it.",
      };
    },
    says: ["breaking request-null-refused:WebhookUpdate.description"],
    back: ["additive request-null-allowed:WebhookUpdate.description"],
  },
  {
    name: "a response field removed",
    edit: (draft) => {
      remove(at(schema(draft, "Account"), "properties"), "tier");
      drop(list(schema(draft, "Account"), "required"), "tier");
    },
    says: ["breaking response-field-ignored:Account.tier"],
    back: ["additive response-required-field-added:Account.tier"],
  },
  {
    name: "a response field made optional",
    edit: (draft) => drop(list(schema(draft, "Account"), "required"), "tier"),
    says: ["breaking response-field-optional:Account.tier"],
    back: ["additive response-field-required:Account.tier"],
  },
  {
    name: "a response field added",
    edit: (draft) => {
      at(schema(draft, "Account"), "properties")["country"] = { type: "string" };
      list(schema(draft, "Account"), "required").push("country");
    },
    says: ["additive response-required-field-added:Account.country"],
    back: ["breaking response-field-ignored:Account.country"],
  },
  {
    name: "a response field that may be null",
    edit: (draft) => {
      field(draft, "ListMeta", "hasMore")["type"] = ["boolean", "null"];
    },
    says: ["breaking response-null-allowed:ListMeta.hasMore"],
    back: ["additive response-null-refused:ListMeta.hasMore"],
  },
  {
    name: "the type of a response field changed",
    edit: (draft) => {
      field(draft, "ListMeta", "hasMore")["type"] = "string";
    },
    says: ["breaking response-type-changed:ListMeta.hasMore"],
    back: ["breaking response-type-changed:ListMeta.hasMore"],
  },
  {
    name: "the format of a time changed everywhere",
    edit: (draft) => {
      schema(draft, "Timestamp")["format"] = "date";
    },
    says: [
      "breaking request-format-changed:Timestamp",
      "breaking response-format-changed:PriceSigningKey.retiredAt",
      "breaking response-format-changed:Timestamp",
    ],
    back: [
      "breaking request-format-changed:Timestamp",
      "breaking response-format-changed:PriceSigningKey.retiredAt",
      "breaking response-format-changed:Timestamp",
    ],
  },
  {
    name: "a field deprecated",
    edit: (draft) => {
      field(draft, "WebhookCreate", "description")["deprecated"] = true;
    },
    says: ["attention request-deprecated:WebhookCreate.description"],
    back: ["additive request-undeprecated:WebhookCreate.description"],
  },
  {
    name: "an open object closed",
    edit: (draft) => {
      field(draft, "EventData", "object")["additionalProperties"] = false;
    },
    says: ["breaking response-map-closed:EventData.object"],
    back: ["additive response-opened:EventData.object"],
  },
  {
    name: "a success that changes its status",
    edit: (draft) => {
      const responses = at(operation(draft, "createWallet"), "responses");
      responses["200"] = at(responses, "201");
      remove(responses, "201");
    },
    says: ["breaking success-status-removed:createWallet=201", "attention status-added:createWallet=200"],
    back: ["attention status-added:createWallet=201", "breaking success-status-removed:createWallet=200"],
  },
  {
    name: "an error status added",
    edit: (draft) => {
      at(operation(draft, "listWallets"), "responses")["409"] = { $ref: "#/components/responses/IdempotencyConflict" };
    },
    says: ["attention status-added:listWallets=409"],
    back: ["additive error-status-removed:listWallets=409"],
  },
  {
    name: "an error status removed",
    edit: (draft) => remove(at(operation(draft, "createWallet"), "responses"), "409"),
    says: ["additive error-status-removed:createWallet=409"],
    back: ["attention status-added:createWallet=409"],
  },
  {
    name: "a header removed from an answer",
    edit: (draft) => remove(at(draft, "components", "responses", "RateLimited", "headers"), "Retry-After"),
    says: ["breaking header-removed:responses/RateLimited.header.retry-after"],
    back: ["additive header-added:responses/RateLimited.header.retry-after"],
  },
  {
    name: "a header that may be absent",
    edit: (draft) => {
      at(draft, "components", "headers", "X-RateLimit-Reset")["required"] = false;
    },
    says: ["breaking header-optional:headers/X-RateLimit-Reset"],
    back: ["additive header-required:headers/X-RateLimit-Reset"],
  },
  {
    name: "a header added to an answer",
    edit: (draft) => {
      at(draft, "components", "responses", "Forbidden", "headers")["X-Hint"] = { schema: { type: "string" } };
    },
    says: ["additive header-added:responses/Forbidden.header.x-hint"],
    back: ["breaking header-removed:responses/Forbidden.header.x-hint"],
  },
  {
    name: "the media type of an answer changed",
    edit: (draft) => {
      const content = at(operation(draft, "getAccount"), "responses", "200", "content");
      content["application/cbor"] = at(content, "application/json");
      remove(content, "application/json");
    },
    says: [
      "breaking response-media-type-removed:getAccount.200=application/json",
      "additive response-media-type-added:getAccount.200=application/cbor",
    ],
    back: [
      "additive response-media-type-added:getAccount.200=application/json",
      "breaking response-media-type-removed:getAccount.200=application/cbor",
    ],
  },
];
