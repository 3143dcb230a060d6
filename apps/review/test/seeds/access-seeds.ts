import { at, list, operation, remove } from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** Changes of permissions and credentials. */
export const accessSeeds: readonly Seed[] = [
  {
    name: "a permission raised",
    edit: (draft) => {
      operation(draft, "listWallets")["security"] = withRole("write");
    },
    says: ["breaking permission-raised:listWallets=read>write"],
    back: ["attention permission-lowered:listWallets=write>read"],
  },
  {
    name: "a permission lowered",
    edit: (draft) => {
      operation(draft, "createApiKey")["security"] = withRole("write");
    },
    says: ["attention permission-lowered:createApiKey=admin>write"],
    back: ["breaking permission-raised:createApiKey=write>admin"],
  },
  {
    name: "a permission raised for tokens only",
    edit: (draft) => {
      operation(draft, "listWallets")["security"] = [
        { apiKey: ["read"] },
        { accessToken: ["admin"] },
        { oauth2: ["read"] },
      ];
    },
    says: ["breaking permission-raised:listWallets=read>admin"],
    back: ["attention permission-lowered:listWallets=admin>read"],
  },
  {
    name: "a credential no longer taken by an operation",
    edit: (draft) => {
      operation(draft, "listWallets")["security"] = [{ apiKey: ["read"] }, { oauth2: ["read"] }];
    },
    says: ["breaking credential-refused:listWallets=accessToken"],
    back: ["attention credential-accepted:listWallets=accessToken"],
  },
  {
    name: "an operation open to everybody",
    edit: (draft) => {
      operation(draft, "listWallets")["security"] = [];
    },
    says: ["attention credential-accepted:listWallets=no_credential"],
    back: ["breaking credential-refused:listWallets=no_credential"],
  },
  {
    name: "a security scheme removed",
    edit: (draft) => remove(at(draft, "components", "securitySchemes"), "accessToken"),
    says: ["breaking scheme-removed:accessToken"],
    back: ["additive scheme-added:accessToken"],
  },
  {
    name: "a key in another header",
    edit: (draft) => {
      at(draft, "components", "securitySchemes", "apiKey")["name"] = "X-Key";
    },
    says: ["breaking scheme-changed:apiKey=name"],
    back: ["breaking scheme-changed:apiKey=name"],
  },
  {
    name: "a security scheme added",
    edit: (draft) => {
      at(draft, "components", "securitySchemes")["basic"] = { type: "http", scheme: "basic" };
    },
    says: ["additive scheme-added:basic"],
    back: ["breaking scheme-removed:basic"],
  },
  {
    name: "the order of the ways to be let in",
    edit: (draft) => {
      list(operation(draft, "listWallets"), "security").reverse();
    },
    says: [],
    back: [],
  },
];

/** The requirement as the document writes it, for each of its schemes. */
function withRole(role: string): { [scheme: string]: string[] }[] {
  return [{ apiKey: [role] }, { accessToken: [role] }, { oauth2: [role] }];
}
