import type { Documents } from "../../src/compare/compare-documents.ts";
import type { JsonObject } from "../../src/compare/json.ts";
import type { Verdict } from "../support/seed.ts";

/** Changes that our gateway's document cannot show: whole documents, and the scopes of OAuth. */
export type DocumentSeed = {
  name: string;
  base: Documents;
  head: Documents;
  says: readonly Verdict[];
  back: readonly Verdict[];
};

const small: JsonObject = { paths: { "/a": { get: { operationId: "getA", responses: {} } } } };

const provider = (tokenUrl: string, scopes: JsonObject): JsonObject => ({
  components: {
    securitySchemes: { oauth: { type: "oauth2", flows: { authorizationCode: { tokenUrl, scopes } } } },
  },
  paths: { "/me": { get: { operationId: "getMe", security: [{ oauth: Object.keys(scopes) }], responses: {} } } },
});

const authorize = (parameter: JsonObject): Documents => ({
  "auth.yaml": {
    paths: { "/authorize": { get: { operationId: "authorize", parameters: [parameter], responses: {} } } },
  },
});
const challenge = { name: "code_challenge", in: "query", required: true, schema: { type: "string" } };
const method = { name: "code_challenge_method", in: "query", required: true, schema: { enum: ["S256"] } };
const exchange = (required: string[]): Documents => ({
  "auth.yaml": {
    paths: {
      "/token": {
        post: {
          operationId: "token",
          requestBody: {
            required: true,
            content: {
              "application/x-www-form-urlencoded": {
                schema: { type: "object", required, properties: { code_verifier: { type: "string" } } },
              },
            },
          },
          responses: {},
        },
      },
    },
  },
});
const production = { url: "https://api.example", description: "Production" };
const sandbox = { url: "https://sandbox.example", description: "Sandbox" };

const direct = (service: string): JsonObject => ({
  url: `https://${service}.example`,
  description: `The paths whose \`x-service\` is \`${service}\``,
});

const servers = (...values: JsonObject[]): Documents => ({ "openapi.yaml": { ...small, servers: values } });

export const documentSeeds: readonly DocumentSeed[] = [
  {
    name: "the addresses that a variable makes written out, but for one",
    base: servers({ url: "https://{place}.example", variables: { place: { default: "a", enum: ["a", "b", "c"] } } }),
    head: servers({ url: "https://a.example" }, { url: "https://b.example" }),
    says: ["breaking server-removed:https_//c.example", "documentation document-text-changed:openapi.yaml.servers"],
    back: ["additive server-added:https_//c.example", "documentation document-text-changed:openapi.yaml.servers"],
  },
  {
    name: "production at another address",
    base: servers(production, sandbox),
    head: servers({ ...production, url: "https://api.other" }, sandbox),
    says: ["breaking server-moved:Production"],
    back: ["breaking server-moved:Production"],
  },
  {
    name: "production and sandbox in each other's place",
    base: servers(production, sandbox),
    head: servers({ ...production, url: sandbox.url }, { ...sandbox, url: production.url }),
    says: ["breaking server-moved:Production", "breaking server-moved:Sandbox"],
    back: ["breaking server-moved:Production", "breaking server-moved:Sandbox"],
  },
  {
    name: "an operation with a server of its own",
    base: { "openapi.yaml": { ...small, servers: [production] } },
    head: {
      "openapi.yaml": {
        servers: [production],
        paths: { "/a": { get: { operationId: "getA", servers: [{ url: "https://a.example" }], responses: {} } } },
      },
    },
    says: ["breaking operation-moved:getA"],
    back: ["breaking operation-moved:getA"],
  },
  {
    name: "direct servers said by words, and then by each operation",
    base: {
      "openapi.yaml": {
        servers: [production, direct("a"), direct("b")],
        paths: { "/a": { "x-service": "a", get: { operationId: "getA", responses: {} } } },
      },
    },
    head: {
      "openapi.yaml": {
        servers: [production, { ...direct("a"), "x-service": "a" }, { ...direct("b"), "x-service": "b" }],
        paths: {
          "/a": { "x-service": "a", servers: [production, direct("a")], get: { operationId: "getA", responses: {} } },
        },
      },
    },
    says: ["documentation document-text-changed:openapi.yaml.servers"],
    back: ["documentation document-text-changed:openapi.yaml.servers"],
  },
  {
    name: "PKCE that may be left out at the beginning",
    base: authorize(challenge),
    head: authorize({ ...challenge, required: false }),
    says: ["attention proof-optional:authorize.query.code_challenge"],
    back: ["breaking parameter-required:authorize.query.code_challenge"],
  },
  {
    name: "PKCE that may be left out at the end",
    base: exchange(["code_verifier"]),
    head: exchange([]),
    says: [
      "additive request-field-optional:token.body.code_verifier",
      "attention proof-optional:token.body.code_verifier",
    ],
    back: ["breaking request-field-required:token.body.code_verifier"],
  },
  {
    name: "PKCE without a hash",
    base: authorize(method),
    head: authorize({ ...method, schema: { enum: ["S256", "plain"] } }),
    says: [
      "additive request-value-added:authorize.query.code_challenge_method=plain",
      "attention proof-value-added:authorize.query.code_challenge_method=plain",
    ],
    back: ["breaking request-value-removed:authorize.query.code_challenge_method=plain"],
  },
  {
    name: "one more document",
    base: { "openapi.yaml": small },
    head: { "openapi.yaml": small, "auth.yaml": small },
    says: ["additive document-added:auth.yaml"],
    back: ["breaking document-removed:auth.yaml"],
  },
  {
    name: "a scope that an operation needs too",
    base: { "auth.yaml": provider("/token", { openid: "You." }) },
    head: { "auth.yaml": provider("/token", { openid: "You.", email: "Your address." }) },
    says: [
      "additive scope-added:oauth.authorizationCode=email",
      "breaking permission-raised:getMe=openid>email_and_openid",
    ],
    back: [
      "attention permission-lowered:getMe=email_and_openid>openid",
      "breaking scope-removed:oauth.authorizationCode=email",
    ],
  },
  {
    name: "tokens from another address",
    base: { "auth.yaml": provider("/token", {}) },
    head: { "auth.yaml": provider("/tokens", {}) },
    says: ["breaking scheme-changed:oauth.authorizationCode=tokenUrl"],
    back: ["breaking scheme-changed:oauth.authorizationCode=tokenUrl"],
  },
  {
    name: "scopes of which neither holds the other",
    base: { "auth.yaml": provider("/token", { email: "" }) },
    head: { "auth.yaml": provider("/token", { phone: "" }) },
    says: [
      "additive scope-added:oauth.authorizationCode=phone",
      "attention permission-lowered:getMe=email>phone",
      "breaking permission-raised:getMe=email>phone",
      "breaking scope-removed:oauth.authorizationCode=email",
    ],
    back: [
      "additive scope-added:oauth.authorizationCode=email",
      "attention permission-lowered:getMe=phone>email",
      "breaking permission-raised:getMe=phone>email",
      "breaking scope-removed:oauth.authorizationCode=phone",
    ],
  },
];
