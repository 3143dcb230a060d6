import { at, field, list, operation, remove, schema, type Draft, type DraftValue } from "../support/document.ts";
import type { Seed } from "../support/seed.ts";

/** Another way to write the same: nothing to say. */
export const sameSeeds: readonly Seed[] = [
  { name: "nothing", edit: () => undefined, says: [], back: [] },
  {
    name: "a component written in place",
    edit: (draft) => {
      const balance = schema(draft, "Balance");
      at(schema(draft, "Wallet"), "properties")["balance"] = structuredClone(balance);
    },
    says: [],
    back: [],
  },
  {
    name: "a response written in place",
    edit: (draft) => {
      const { Forbidden } = at(draft, "components", "responses");
      at(operation(draft, "listWallets"), "responses")["403"] = structuredClone(Forbidden ?? null);
    },
    says: [],
    back: [],
  },
  {
    name: "allOf around a reference",
    edit: (draft) => {
      const property = at(schema(draft, "Wallet"), "properties");
      property["balance"] = { allOf: [{ $ref: "#/components/schemas/Balance" }] };
    },
    says: [],
    back: [],
  },
  {
    name: "fields taken apart into allOf",
    edit: (draft) => {
      const account = schema(draft, "Account");
      const { tier, ...others } = at(account, "properties");
      account["properties"] = others;
      account["allOf"] = [{ properties: { tier: tier ?? null } }];
    },
    says: [],
    back: [],
  },
  {
    name: "null as a type in the place of anyOf",
    edit: (draft) => {
      const cursor = schema(draft, "Cursor");
      at(schema(draft, "ListMeta"), "properties")["nextCursor"] = {
        ...structuredClone(cursor),
        description: field(draft, "ListMeta", "nextCursor")["description"] ?? null,
        type: ["string", "null"],
      };
    },
    says: [],
    back: [],
  },
  {
    name: "oneOf in the place of anyOf, with null first",
    edit: (draft) => {
      const property = field(draft, "ListMeta", "nextCursor");
      property["oneOf"] = list(property, "anyOf").toReversed();
      remove(property, "anyOf");
    },
    says: [],
    back: [],
  },
  {
    name: "const in the place of an enum of one",
    edit: (draft) => {
      const property = field(draft, "PaymentSettledEvent", "type");
      property["enum"] = ["payment.settled"];
      remove(property, "const");
    },
    says: [],
    back: [],
  },
  {
    name: "another order of values, required fields, tags of a path and keys",
    edit: (draft) => {
      list(schema(draft, "EventType"), "enum").reverse();
      list(schema(draft, "Wallet"), "required").reverse();
      list(operation(draft, "listWallets"), "parameters").reverse();
      for (const key of ["paths", "webhooks", "components"]) {
        draft[key] = reverseKeys(at(draft, key));
      }
    },
    says: [],
    back: [],
  },
  {
    name: "a parameter of the path written at each operation",
    edit: (draft) => {
      const item = at(draft, "paths", "/api/v1/wallets/{walletId}");
      for (const method of ["get", "patch"]) {
        at(item, method)["parameters"] = list(item, "parameters");
      }
      remove(item, "parameters");
    },
    says: [],
    back: [],
  },
  {
    name: "defaults of OpenAPI and of JSON Schema written out",
    edit: (draft) => {
      const parameter = at(draft, "components", "parameters", "EventTypeFilter");
      Object.assign(parameter, { required: false, style: "form", explode: true, deprecated: false });
      Object.assign(schema(draft, "Metadata"), { minProperties: 0, deprecated: false });
      operation(draft, "listWallets")["deprecated"] = false;
    },
    says: [],
    back: [],
  },
  {
    name: "the security of all operations written once",
    edit: (draft) => {
      draft["security"] = [{ apiKey: ["read"] }, { accessToken: ["read"] }, { oauth2: ["read"] }];
      remove(operation(draft, "listWallets"), "security");
    },
    says: [],
    back: [],
  },
  {
    name: "a component that nobody uses",
    edit: (draft) => {
      at(draft, "components", "schemas")["Unused"] = { type: "string" };
    },
    says: [],
    back: [],
  },
];

function reverseKeys(value: Draft): Draft {
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, isDraft(one) ? reverseKeys(one) : one]),
  );
}

function isDraft(value: DraftValue): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
