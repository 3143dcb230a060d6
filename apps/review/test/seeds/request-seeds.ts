import { at, drop, list, operation, remove } from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** Parameters and bodies. */
export const requestSeeds: readonly Seed[] = [
  {
    name: "a path parameter under another name",
    edit: (draft) => {
      const paths = at(draft, "paths");
      for (const path of Object.keys(paths).filter((key) => key.includes("{walletId}"))) {
        paths[path.replace("{walletId}", "{id}")] = at(paths, path);
        remove(paths, path);
      }
      at(draft, "components", "parameters", "WalletId")["name"] = "id";
    },
    says: ["attention parameter-renamed:parameters/WalletId"],
    back: ["attention parameter-renamed:parameters/WalletId"],
  },
  {
    name: "a parameter added, optional",
    edit: (draft) => {
      list(operation(draft, "listWallets"), "parameters").push({ name: "q", in: "query", schema: { type: "string" } });
    },
    says: ["additive parameter-added:listWallets.query.q"],
    back: ["breaking parameter-removed:listWallets.query.q"],
  },
  {
    name: "a parameter added, required",
    edit: (draft) => {
      const parameter = { name: "q", in: "query", required: true, schema: { type: "string" } };
      list(operation(draft, "listWallets"), "parameters").push(parameter);
    },
    says: ["breaking required-parameter-added:listWallets.query.q"],
    back: ["breaking parameter-removed:listWallets.query.q"],
  },
  {
    name: "a parameter removed",
    edit: (draft) =>
      drop(list(operation(draft, "listEvents"), "parameters"), { $ref: "#/components/parameters/EventTypeFilter" }),
    says: ["breaking parameter-removed:parameters/EventTypeFilter"],
    back: ["additive parameter-added:parameters/EventTypeFilter"],
  },
  {
    name: "a parameter made required",
    edit: (draft) => {
      at(draft, "components", "parameters", "EventTypeFilter")["required"] = true;
    },
    says: ["breaking parameter-required:parameters/EventTypeFilter"],
    back: ["additive parameter-optional:parameters/EventTypeFilter"],
  },
  {
    name: "a parameter that may hold reserved characters",
    edit: (draft) => {
      at(draft, "components", "parameters", "EventTypeFilter")["allowReserved"] = true;
    },
    says: ["additive parameter-encoding-relaxed:parameters/EventTypeFilter"],
    back: ["breaking parameter-encoding-changed:parameters/EventTypeFilter"],
  },
  {
    name: "a parameter written otherwise",
    edit: (draft) => {
      at(draft, "components", "parameters", "EventTypeFilter")["style"] = "spaceDelimited";
    },
    says: ["breaking parameter-encoding-changed:parameters/EventTypeFilter"],
    back: ["breaking parameter-encoding-changed:parameters/EventTypeFilter"],
  },
  {
    name: "the default of a parameter changed",
    edit: (draft) => {
      at(draft, "components", "parameters", "Limit", "schema")["default"] = 50;
    },
    says: ["breaking request-default-changed:parameters/Limit"],
    back: ["breaking request-default-changed:parameters/Limit"],
  },
  {
    name: "the limit of a parameter lowered",
    edit: (draft) => {
      at(draft, "components", "parameters", "Limit", "schema")["maximum"] = 50;
    },
    says: ["breaking request-limit-tightened:parameters/Limit=maximum=50"],
    back: ["additive request-limit-relaxed:parameters/Limit=maximum=100"],
  },
  {
    name: "the limit of a parameter raised",
    edit: (draft) => {
      at(draft, "components", "parameters", "Limit", "schema")["maximum"] = 200;
    },
    says: ["additive request-limit-relaxed:parameters/Limit=maximum=200"],
    back: ["breaking request-limit-tightened:parameters/Limit=maximum=100"],
  },
  {
    name: "the type of a parameter changed",
    edit: (draft) => {
      at(draft, "components", "parameters", "Limit")["schema"] = { type: "string" };
    },
    says: ["breaking request-type-changed:parameters/Limit", "breaking request-default-removed:parameters/Limit"],
    back: ["attention request-default-added:parameters/Limit", "breaking request-type-changed:parameters/Limit"],
  },
  {
    name: "an idempotency key no longer taken",
    edit: (draft) =>
      drop(list(operation(draft, "createWallet"), "parameters"), { $ref: "#/components/parameters/IdempotencyKey" }),
    says: ["breaking idempotency-key-removed:createWallet"],
    back: ["additive idempotency-key-added:createWallet"],
  },
  {
    name: "an idempotency key taken",
    edit: (draft) => {
      operation(draft, "updateWebhook")["parameters"] = [{ $ref: "#/components/parameters/IdempotencyKey" }];
    },
    says: ["additive idempotency-key-added:updateWebhook"],
    back: ["breaking idempotency-key-removed:updateWebhook"],
  },
  {
    name: "a body needed that was not taken",
    edit: (draft) => {
      operation(draft, "disableWebhook")["requestBody"] = at(operation(draft, "sendTestEvent"), "requestBody");
    },
    says: ["breaking required-body-added:disableWebhook"],
    back: ["breaking body-removed:disableWebhook"],
  },
  {
    name: "a body no longer taken",
    edit: (draft) => remove(operation(draft, "sendTestEvent"), "requestBody"),
    says: ["breaking body-removed:sendTestEvent"],
    back: ["breaking required-body-added:sendTestEvent"],
  },
  {
    name: "a body that may be left out",
    edit: (draft) => {
      at(operation(draft, "createWallet"), "requestBody")["required"] = false;
    },
    says: ["additive body-optional:createWallet"],
    back: ["breaking body-required:createWallet"],
  },
  {
    name: "a parameter deprecated",
    edit: (draft) => {
      at(draft, "components", "parameters", "EventTypeFilter")["deprecated"] = true;
    },
    says: ["attention parameter-deprecated:parameters/EventTypeFilter"],
    back: ["additive parameter-undeprecated:parameters/EventTypeFilter"],
  },
  {
    name: "a body that may be left out, where none was taken",
    edit: (draft) => {
      const body = { content: { "application/json": { schema: { type: "object" } } } };
      operation(draft, "disableWebhook")["requestBody"] = body;
    },
    says: ["additive body-added:disableWebhook"],
    back: ["breaking body-removed:disableWebhook"],
  },
  {
    name: "a body in one more media type",
    edit: (draft) => {
      const content = at(operation(draft, "createWallet"), "requestBody", "content");
      content["application/cbor"] = at(content, "application/json");
    },
    says: ["additive media-type-added:createWallet.body=application/cbor"],
    back: ["breaking media-type-removed:createWallet.body=application/cbor"],
  },
];
