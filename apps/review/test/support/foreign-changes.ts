import { at, drop, list, operation, remove, type Draft, type DraftValue } from "./document.ts";

/** Changes, and the expected severity for each audience: B breaking, A attention, D additive, O documentation. */
export type ForeignChange = [name: string, edit: (shop: Draft) => void, verdicts: Record<string, string>];

const schemas = (shop: Draft, name: string): Draft => at(shop, "components", "schemas", name);
const order = (shop: Draft, field?: string): Draft =>
  field === undefined ? at(schemas(shop, "Order"), "properties") : at(schemas(shop, "Order"), "properties", field);
const sent = (shop: Draft, field?: string): Draft =>
  field === undefined
    ? at(schemas(shop, "OrderCreate"), "properties")
    : at(schemas(shop, "OrderCreate"), "properties", field);
const query = (shop: Draft, index: number): Draft => at(operation(shop, "listOrders"), "parameters", index);
const answer = (shop: Draft, id: string, status: string): Draft => at(operation(shop, id), "responses", status);
const set = (target: Draft, changes: Draft): unknown => Object.assign(target, changes);
const rename = (target: Draft, from: string, to: string): void => {
  target[to] = target[from] as DraftValue;
  remove(target, from);
};
const replaceText = (shop: Draft, from: string, to: string): void => {
  const next = JSON.parse(JSON.stringify(shop).replaceAll(from, to)) as Draft;
  set(shop, next);
};

const both = (verdict: string): Record<string, string> => ({ callers: verdict, receivers: verdict });

export const foreignChanges: readonly ForeignChange[] = [
  ["a field of an answer removed", (s) => remove(order(s), "note"), both("B")],
  ["a field of an answer added", (s) => set(order(s), { paidAt: { type: "string" } }), both("D")],
  [
    "a required field of an answer added",
    (s) => (set(order(s), { paidAt: {} }), list(schemas(s, "Order"), "required").push("paidAt")),
    both("D"),
  ],
  ["a field of an answer no longer required", (s) => drop(list(schemas(s, "Order"), "required"), "id"), both("B")],
  ["a field of an answer nullable", (s) => (order(s, "note")["type"] = ["string", "null"]), both("B")],
  ["the type of a field of an answer", (s) => (order(s, "note")["type"] = "integer"), both("B")],
  ["the format of a field of an answer", (s) => (order(s, "id")["format"] = "uri"), both("B")],
  ["a value removed from an answer", (s) => drop(list(order(s, "status"), "enum"), "open"), both("A")],
  ["a value added to a closed list of an answer", (s) => list(order(s, "status"), "enum").push("lost"), both("A")],
  ["a value added to an open list", (s) => list(order(s, "kind"), "enum").push("phone"), both("D")],
  ["an open list replaced", (s) => (order(s, "kind")["enum"] = ["phone"]), both("AD")],
  ["a closed list opened", (s) => (order(s, "status")["x-extensible"] = true), { client: "B" }],
  ["an open list closed", (s) => remove(order(s, "kind"), "x-extensible"), { client: "D" }],
  ["an answer's limit raised", (s) => (order(s, "note")["maxLength"] = 90), both("A")],
  ["an answer's limit lowered", (s) => (order(s, "note")["maxLength"] = 9), both("D")],
  [
    "oneOf of required sets on an answer",
    (s) => (schemas(s, "Order")["oneOf"] = [{ required: ["note"] }, { required: ["kind"] }]),
    both("D"),
  ],
  [
    "oneOf of required sets on a request",
    (s) => (schemas(s, "OrderCreate")["oneOf"] = [{ required: ["note"] }, { required: ["tip"] }]),
    { callers: "B" },
  ],
  ["an answer's map closed", (s) => (order(s)["labels"] = { type: "object", additionalProperties: false }), both("B")],
  ["an answer's map opened to anything", (s) => remove(order(s, "labels"), "additionalProperties"), both("B")],
  ["int64 within int32's bounds becomes int32", (s) => (order(s, "total")["format"] = "int32"), { documents: "O" }],
  [
    "int32 becomes int64 in a header",
    (s) => (at(answer(s, "listOrders", "200"), "headers", "X-Total", "schema")["format"] = "int64"),
    { callers: "A", documents: "O" },
  ],
  [
    "unevaluatedProperties in the place of additionalProperties",
    (s) => rename(schemas(s, "OrderCreate"), "additionalProperties", "unevaluatedProperties"),
    {},
  ],
  ["a request field added", (s) => set(sent(s), { extra: { type: "string" } }), { callers: "D" }],
  [
    "a required request field added",
    (s) => (set(sent(s), { extra: {} }), list(schemas(s, "OrderCreate"), "required").push("extra")),
    { callers: "B" },
  ],
  ["a request field removed", (s) => remove(sent(s), "note"), { callers: "B" }],
  ["a request field required", (s) => list(schemas(s, "OrderCreate"), "required").push("note"), { callers: "B" }],
  ["a request field optional", (s) => drop(list(schemas(s, "OrderCreate"), "required"), "total"), { callers: "D" }],
  ["a request value added", (s) => list(sent(s, "currency"), "enum").push("JPY"), { callers: "D" }],
  ["a request value removed", (s) => drop(list(sent(s, "currency"), "enum"), "USD"), { callers: "B" }],
  ["x-extensible on a request's list", (s) => (sent(s, "currency")["x-extensible"] = true), { client: "O" }],
  ["a request default changed", (s) => (sent(s, "currency")["default"] = "USD"), { callers: "B" }],
  ["a request null refused", (s) => (sent(s, "tip")["type"] = "integer"), { callers: "B" }],
  ["a request null taken", (s) => (sent(s, "note")["type"] = ["string", "null"]), { callers: "D" }],
  ["a request pattern removed", (s) => remove(sent(s, "note"), "pattern"), { callers: "D" }],
  ["a request pattern changed", (s) => (sent(s, "note")["pattern"] = "^b"), { callers: "B" }],
  ["a request minimum raised", (s) => (sent(s, "total")["minimum"] = 1), { callers: "B" }],
  ["a request maximum raised", (s) => (sent(s, "total")["maximum"] = 2000), { callers: "D" }],
  ["a request form added", (s) => list(sent(s, "ship"), "anyOf").push({ type: "boolean" }), { callers: "D" }],
  ["a request form removed", (s) => list(sent(s, "ship"), "anyOf").pop(), { callers: "B" }],
  ["anyOf becomes oneOf where the types tell apart", (s) => rename(sent(s, "ship"), "anyOf", "oneOf"), {}],
  [
    "a condition on a request",
    (s) => (schemas(s, "OrderCreate")["dependentRequired"] = { note: ["tip"] }),
    { callers: "B" },
  ],
  ["a request opened", (s) => remove(schemas(s, "OrderCreate"), "additionalProperties"), { callers: "D" }],
  ["a request field deprecated", (s) => (sent(s, "note")["deprecated"] = true), { callers: "A" }],
  [
    "mapping swapped",
    (s) => set(at(schemas(s, "Payer"), "discriminator", "mapping"), { person: "Company", company: "Person" }),
    both("B"),
  ],
  [
    "mapping written shorter",
    (s) => set(at(schemas(s, "Payer"), "discriminator", "mapping"), { person: "Person", company: "Company" }),
    {},
  ],
  ["another discriminator", (s) => (at(schemas(s, "Payer"), "discriminator")["propertyName"] = "kind"), both("B")],
  ["a schema renamed", (s) => replaceText(s, "Company", "Firm"), { client: "B" }],
  [
    "a schema renamed and given a field",
    (s) => (replaceText(s, "Company", "Firm"), set(at(schemas(s, "Firm"), "properties"), { size: {} })),
    { client: "B", ...both("D") },
  ],
  [
    "a schema written in place",
    (s) => (
      set(answer(s, "getOrder", "200"), {}),
      (order(s)["payer"] = schemas(s, "Payer")),
      remove(at(s, "components", "schemas"), "Payer")
    ),
    { client: "A" },
  ],
  ["allOf around a reference", (s) => (order(s)["payer"] = { allOf: [{ $ref: "#/components/schemas/Payer" }] }), {}],
  ["another method of the client", (s) => (operation(s, "createOrder")["x-client"] = "orders.make"), { client: "B" }],
  ["another operationId", (s) => (operation(s, "getOrder")["operationId"] = "readOrder"), { client: "A" }],
  ["a new error code", (s) => list(operation(s, "createOrder"), "x-problems").push("SOLD_OUT"), { callers: "D" }],
  ["a parameter removed", (s) => list(operation(s, "listOrders"), "parameters").pop(), { callers: "B" }],
  [
    "an optional parameter added",
    (s) => list(operation(s, "listOrders"), "parameters").push({ name: "q", in: "query", schema: {} }),
    { callers: "D" },
  ],
  [
    "a required parameter added",
    (s) => list(operation(s, "listOrders"), "parameters").push({ name: "q", in: "query", required: true, schema: {} }),
    { callers: "B" },
  ],
  ["a parameter required", (s) => (query(s, 0)["required"] = true), { callers: "B" }],
  ["a header parameter in other letters", (s) => (query(s, 2)["name"] = "x-trace"), {}],
  ["explode of a list", (s) => (query(s, 1)["explode"] = false), { callers: "B" }],
  ["explode of a single value", (s) => (query(s, 0)["explode"] = false), {}],
  ["a parameter that takes reserved characters", (s) => (query(s, 2)["allowReserved"] = true), { callers: "D" }],
  ["an answer's header removed", (s) => remove(answer(s, "listOrders", "200"), "headers"), { callers: "B" }],
  [
    "an answer's header added",
    (s) => set(at(answer(s, "listOrders", "200"), "headers"), { ETag: { schema: {} } }),
    { callers: "D" },
  ],
  [
    "a media type with its charset",
    (s) => rename(at(answer(s, "getOrder", "200"), "content"), "application/json", "application/json; charset=utf-8"),
    {},
  ],
  [
    "a media type replaced",
    (s) => rename(at(answer(s, "getOrder", "200"), "content"), "application/json", "application/xml"),
    { callers: "BD" },
  ],
  [
    "an error status added",
    (s) => set(at(operation(s, "getOrder"), "responses"), { "410": { description: "Gone." } }),
    { callers: "A" },
  ],
  ["an error status removed", (s) => remove(at(operation(s, "listOrders"), "responses"), "404"), { callers: "D" }],
  [
    "a success status moved",
    (s) => rename(at(operation(s, "createOrder"), "responses"), "201", "200"),
    { callers: "BA" },
  ],
  ["an operation removed", (s) => remove(at(s, "paths"), "/orders/{orderId}"), { callers: "B" }],
  ["a path parameter renamed", (s) => replaceText(s, "orderId", "id"), { client: "A" }],
  ["an event removed", (s) => remove(at(s, "webhooks"), "order.paid"), { receivers: "B" }],
  ["an event added", (s) => set(at(s, "webhooks"), { "order.lost": { post: { responses: {} } } }), { receivers: "D" }],
  ["a server removed", (s) => (s["servers"] = [{ url: "https://b.shop.example" }]), { callers: "BD" }],
  ["a server with a slash at its end", (s) => (s["servers"] = [{ url: "https://api.shop.example/" }]), {}],
  ["a server added", (s) => list(s, "servers").push({ url: "https://b.shop.example" }), { callers: "D" }],
  [
    "the key in another header",
    (s) => (at(s, "components", "securitySchemes", "key")["name"] = "X-Token"),
    { callers: "B" },
  ],
  ["the key's header in other letters", (s) => (at(s, "components", "securitySchemes", "key")["name"] = "x-key"), {}],
  [
    "a security scheme renamed",
    (s) => (rename(at(s, "components", "securitySchemes"), "key", "apiKey"), (s["security"] = [{ apiKey: [] }])),
    {},
  ],
  ["one credential more", (s) => list(s, "security").push({ oauth: ["read"] }), { callers: "A" }],
  ["nobody needs a credential", (s) => (s["security"] = []), { callers: "A" }],
  [
    "a scope removed",
    (s) => remove(at(s, "components", "securitySchemes", "oauth", "flows", "clientCredentials", "scopes"), "read"),
    { callers: "B" },
  ],
  [
    "a refresh address added",
    (s) =>
      (at(s, "components", "securitySchemes", "oauth", "flows", "clientCredentials")["refreshUrl"] = "https://a/r"),
    { documents: "O" },
  ],
  ["a patch of OpenAPI", (s) => (s["openapi"] = "3.1.1"), { documents: "O" }],
  ["words and examples", (s) => set(order(s, "note"), { description: "A note.", examples: ["a"] }), { documents: "O" }],
  ["an extension that nobody knows", (s) => (operation(s, "getOrder")["x-colour"] = "red"), { callers: "A" }],
];
