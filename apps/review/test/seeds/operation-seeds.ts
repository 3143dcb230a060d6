import { at, list, operation, remove, schema } from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** The operations of one path. */
const accountRemoved: Seed["says"] = [
  "breaking operation-removed:getAccount",
  "breaking operation-removed:updateAccount",
];
const accountAdded: Seed["says"] = ["additive operation-added:getAccount", "additive operation-added:updateAccount"];

export const operationSeeds: readonly Seed[] = [
  {
    name: "a path removed",
    edit: (draft) => remove(at(draft, "paths"), "/api/v1/account"),
    says: accountRemoved,
    back: accountAdded,
  },
  {
    name: "a method removed",
    edit: (draft) => remove(at(draft, "paths", "/api/v1/webhooks/{webhookId}"), "delete"),
    says: ["breaking operation-removed:deleteWebhook"],
    back: ["additive operation-added:deleteWebhook"],
  },
  {
    name: "a path moved",
    edit: (draft) => {
      const paths = at(draft, "paths");
      paths["/api/v1/me"] = at(paths, "/api/v1/account");
      remove(paths, "/api/v1/account");
    },
    says: [...accountRemoved, ...accountAdded],
    back: [...accountAdded, ...accountRemoved],
  },
  {
    name: "an operation added",
    edit: (draft) => {
      at(draft, "paths")["/api/v1/limits"] = { get: { ...operation(draft, "getAccount"), operationId: "getLimits" } };
    },
    says: ["additive operation-added:getLimits"],
    back: ["breaking operation-removed:getLimits"],
  },
  {
    name: "an operationId changed",
    edit: (draft) => {
      operation(draft, "getAccount")["operationId"] = "readAccount";
    },
    says: ["attention operation-renamed:getAccount"],
    back: ["attention operation-renamed:readAccount"],
  },
  {
    name: "an operation deprecated",
    edit: (draft) => {
      operation(draft, "replayDeliveries")["deprecated"] = true;
    },
    says: ["attention operation-deprecated:replayDeliveries"],
    back: ["additive operation-undeprecated:replayDeliveries"],
  },
  {
    name: "another name in the client",
    edit: (draft) => {
      operation(draft, "getAccount")["x-client"] = "accounts.read";
    },
    says: ["breaking client-method-renamed:getAccount"],
    back: ["breaking client-method-renamed:getAccount"],
  },
  {
    name: "no name in the client",
    edit: (draft) => remove(operation(draft, "getAccount"), "x-client"),
    says: ["breaking client-method-renamed:getAccount"],
    back: ["additive client-method-added:getAccount"],
  },
  {
    name: "an event no longer caused",
    edit: (draft) => {
      operation(draft, "createWallet")["x-emits"] = [];
    },
    says: ["breaking emits-removed:createWallet=wallet.created"],
    back: ["additive emits-added:createWallet=wallet.created"],
  },
  {
    name: "an event caused by one more operation",
    edit: (draft) => {
      operation(draft, "createWebhook")["x-emits"] = ["wallet.created"];
    },
    says: ["additive emits-added:createWebhook=wallet.created"],
    back: ["breaking emits-removed:createWebhook=wallet.created"],
  },
  {
    name: "an operation refused with one more code",
    edit: (draft) => {
      operation(draft, "rollApiKey")["x-problems"] = [
        ...list(operation(draft, "rollApiKey"), "x-problems"),
        "LAST_OWNER",
      ];
    },
    says: ["additive problem-added:LAST_OWNER"],
    back: ["additive problem-removed:LAST_OWNER"],
  },
  {
    name: "an operation that needs the shared limit store",
    edit: (draft) => {
      operation(draft, "createWebhook")["x-limit-store"] = "required";
    },
    says: ["attention limit-store-required:createWebhook"],
    back: ["attention limit-store-not-required:createWebhook"],
  },
  {
    name: "an operation that goes on without the shared limit store",
    edit: (draft) => remove(operation(draft, "createApiKey"), "x-limit-store"),
    says: ["attention limit-store-not-required:createApiKey"],
    back: ["attention limit-store-required:createApiKey"],
  },
  {
    name: "an operation that only people may do from now on",
    edit: (draft) => {
      operation(draft, "createWebhook")["x-person"] = "required";
    },
    says: ["breaking person-required:createWebhook"],
    back: ["attention person-not-required:createWebhook"],
  },
  {
    name: "an operation that only people may do who have just signed in",
    edit: (draft) => {
      operation(draft, "createWebhook")["x-person"] = "required";
      operation(draft, "createWebhook")["x-fresh-sign-in"] = 300;
    },
    says: ["breaking person-required:createWebhook", "attention fresh-sign-in-tightened:createWebhook"],
    back: ["attention person-not-required:createWebhook", "attention fresh-sign-in-loosened:createWebhook"],
  },
  {
    name: "a path of another service",
    edit: (draft) => {
      at(draft, "paths", "/api/v1/wallets")["x-service"] = "custody";
    },
    says: ["breaking service-changed:/api/v1/wallets=ledger>custody"],
    back: ["breaking service-changed:/api/v1/wallets=custody>ledger"],
  },
  {
    name: "a path of the sandbox alone",
    edit: (draft) => {
      at(draft, "paths", "/api/v1/wallets")["x-sandbox"] = true;
    },
    says: ["breaking sandbox-only:/api/v1/wallets"],
    back: ["attention not-sandbox-only:/api/v1/wallets"],
  },
  {
    name: "a policy that the review does not know",
    edit: (draft) => {
      operation(draft, "createWallet")["x-weight"] = 5;
    },
    says: ["attention operation-policy-changed:createWallet=x-weight"],
    back: ["attention operation-policy-changed:createWallet=x-weight"],
  },
  {
    name: "a policy of the whole document that the review does not know",
    edit: (draft) => {
      draft["x-region"] = "eu";
    },
    says: ["attention document-policy-changed:openapi.yaml.x-region=x-region"],
    back: ["attention document-policy-changed:openapi.yaml.x-region=x-region"],
  },
  {
    name: "a server removed",
    edit: (draft) => {
      list(draft, "servers").splice(1, 1);
    },
    says: ["breaking server-removed:https_//sandbox.api.gateway.example"],
    back: ["additive server-added:https_//sandbox.api.gateway.example"],
  },
  {
    name: "a service's address removed",
    edit: (draft) => {
      list(draft, "servers").splice(2, 1);
    },
    says: ["breaking server-removed:https_//custody.gateway.example"],
    back: ["additive server-added:https_//custody.gateway.example"],
  },
  {
    name: "an operation that is at its service's address no more",
    edit: (draft) => {
      list(draft, "paths", "/api/v1/approvals", "servers").splice(2, 1);
    },
    says: ["breaking operation-moved:listApprovals"],
    back: ["additive operation-server-added:listApprovals"],
  },
  {
    name: "the address of production changed, at each path too",
    edit: (draft) => {
      const url = "https://api2.gateway.example";
      const before = at(draft, "servers", 0)["url"];
      at(draft, "servers", 0)["url"] = url;
      for (const path of Object.keys(at(draft, "paths"))) {
        // Those of the sandbox alone have another first one.
        if ("servers" in at(draft, "paths", path) && at(draft, "paths", path, "servers", 0)["url"] === before) {
          at(draft, "paths", path, "servers", 0)["url"] = url;
        }
      }
    },
    says: ["breaking server-moved:Production"],
    back: ["breaking server-moved:Production"],
  },
  {
    name: "the address of production changed",
    edit: (draft) => {
      at(draft, "servers", 0)["url"] = "https://api2.gateway.example";
    },
    says: ["breaking server-moved:Production"],
    back: ["breaking server-moved:Production"],
  },
  {
    name: "words of a server",
    edit: (draft) => {
      at(draft, "servers", 0)["description"] = "Other words.";
    },
    says: ["documentation document-text-changed:openapi.yaml.servers"],
    back: ["documentation document-text-changed:openapi.yaml.servers"],
  },
  {
    name: "words only",
    edit: (draft) => {
      operation(draft, "listWallets")["description"] = "Other words.";
      schema(draft, "Balance")["description"] = "Other words.";
      at(draft, "info")["title"] = "Other words";
    },
    says: [
      "documentation document-text-changed:openapi.yaml",
      "documentation operation-text-changed:listWallets",
      "documentation response-text-changed:Balance",
    ],
    back: [
      "documentation document-text-changed:openapi.yaml",
      "documentation operation-text-changed:listWallets",
      "documentation response-text-changed:Balance",
    ],
  },
  {
    name: "an example only",
    edit: (draft) => {
      at(draft, "components", "examples", "WalletFound")["summary"] = "Other words.";
    },
    says: ["documentation operation-text-changed:getWallet.200"],
    back: ["documentation operation-text-changed:getWallet.200"],
  },
];
