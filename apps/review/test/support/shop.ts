import type { Draft } from "./document.ts";

const ref = (name: string): Draft => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Draft): Draft => ({ content: { "application/json": { schema } } });

/** A document of another company, with a construct of each kind that OpenAPI 3.1 knows. */
export const createShop = (): Draft => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1.0.0" },
  servers: [{ url: "https://api.shop.example" }],
  security: [{ key: [] }],
  tags: [{ name: "orders" }],
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        tags: ["orders"],
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
          { name: "status", in: "query", schema: { type: "array", items: { enum: ["open", "paid"] } } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
        ],
        responses: {
          "200": {
            description: "Orders.",
            headers: { "X-Total": { required: true, schema: { type: "integer", format: "int32" } } },
            ...json({ type: "array", items: ref("Order") }),
          },
          "404": { description: "None." },
        },
      },
      post: {
        operationId: "createOrder",
        "x-client": "orders.create",
        "x-problems": ["INVALID"],
        requestBody: { required: true, ...json(ref("OrderCreate")) },
        responses: { "201": { description: "It.", ...json(ref("Order")) } },
      },
    },
    "/orders/{orderId}": {
      get: {
        operationId: "getOrder",
        parameters: [{ name: "orderId", in: "path", required: true, schema: { type: "string" } }],
        responses: { "200": { description: "It.", ...json(ref("Order")) } },
      },
    },
  },
  webhooks: {
    "order.paid": {
      post: {
        requestBody: { required: true, ...json(ref("Order")) },
        responses: { "200": { description: "Thanks." } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      oauth: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://api.shop.example/token", scopes: { read: "Read." } } },
      },
    },
    schemas: {
      Order: {
        type: "object",
        required: ["id", "total"],
        properties: {
          id: { type: "string", format: "uuid" },
          total: { type: "integer", format: "int64", minimum: 0, maximum: 1000 },
          status: { enum: ["open", "paid"] },
          kind: { type: "string", enum: ["web", "shop"], "x-extensible": true },
          note: { type: "string", maxLength: 50 },
          labels: { type: "object", additionalProperties: { type: "string" } },
          payer: ref("Payer"),
        },
      },
      OrderCreate: {
        type: "object",
        additionalProperties: false,
        required: ["total"],
        properties: {
          total: { type: "integer", format: "int64", minimum: 0, maximum: 1000 },
          currency: { enum: ["EUR", "USD"], default: "EUR" },
          note: { type: "string", maxLength: 50, pattern: "^a" },
          tip: { type: ["integer", "null"] },
          ship: { anyOf: [{ type: "string" }, { type: "integer" }] },
        },
      },
      Payer: {
        oneOf: [ref("Person"), ref("Company")],
        discriminator: {
          propertyName: "type",
          mapping: { person: "#/components/schemas/Person", company: "#/components/schemas/Company" },
        },
      },
      Person: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" }, name: { type: "string" } },
      },
      Company: {
        type: "object",
        required: ["type"],
        properties: { type: { type: "string" }, vat: { type: "string" } },
      },
    },
  },
});
