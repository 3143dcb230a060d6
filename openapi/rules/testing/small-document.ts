const headers = Object.fromEntries(
  ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"].map((name) => [
    name,
    { $ref: "#/components/headers/Text" },
  ]),
);

/** A small document that keeps every house rule, with the references of a real one. */
export function smallDocument() {
  const document = {
    openapi: "3.1.1",
    info: { title: "Small", version: "1.0.0" },
    paths: {
      "/pots": { "x-service": "ledger", get: listPots(), post: createPot() },
      "/pots/{potId}/fill": {
        "x-service": "events",
        parameters: [{ name: "potId", in: "path", required: true, schema: { type: "string" } }],
        post: {
          ...createPot(),
          operationId: "fillPot",
          "x-client": "pots.fill",
          "x-emits": ["pot_filled"],
          responses: { ...createPot().responses, "404": ref("responses/Refusal") },
        },
      },
    },
    webhooks: { pot_filled: ref("pathItems/PotFilled") },
    components: {
      headers: { Text: { schema: { type: "string" } } },
      parameters: {
        Cursor: { name: "cursor", in: "query", schema: { type: "string" } },
        IdempotencyKey: { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
        CausingRequest: { name: "X-Request-Id", in: "header", schema: { type: "string" } },
        ServiceSignature: { name: "X-Service-Signature", in: "header", required: true, schema: { type: "string" } },
      },
      responses: {
        Refusal: { description: "no", headers, content: body("Refused") },
        Unauthenticated: refusalWith("WWW-Authenticate"),
        Later: refusalWith("Retry-After"),
      },
      pathItems: { PotFilled: { "x-service": "ledger", post: receivePotFilled() } },
      schemas: schemas(),
    },
  };
  // Through JSON, which shares nothing: a change in one place must not show in another.
  return JSON.parse(JSON.stringify(document));
}

function listPots() {
  return {
    operationId: "listPots",
    "x-client": "pots.list",
    security: security("read"),
    parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }, ref("parameters/Cursor")],
    responses: { "200": { description: "ok", headers, content: body("PotList") }, ...refusals() },
  };
}

function security(role: string) {
  return [{ apiKey: [role] }, { accessToken: [role] }, { oauth2: [role] }];
}

function createPot() {
  return {
    operationId: "createPot",
    "x-client": "pots.create",
    security: security("write"),
    parameters: [ref("parameters/IdempotencyKey")],
    requestBody: { content: body("PotCreate") },
    responses: {
      "201": {
        description: "ok",
        headers: { ...headers, "Idempotency-Replayed": ref("headers/Text") },
        content: body("PotEnvelope"),
      },
      ...refusals(),
      "409": ref("responses/Refusal"),
      "413": ref("responses/Refusal"),
      "415": ref("responses/Refusal"),
    },
  };
}

function receivePotFilled() {
  return {
    security: [],
    parameters: [ref("parameters/ServiceSignature"), ref("parameters/CausingRequest")],
    requestBody: { content: body("PotFilledEvent") },
    responses: { "2XX": { description: "taken" }, default: { description: "not taken" } },
  };
}

function refusals() {
  const plain = ["400", "403", "431", "500", "502", "504"].map((status) => [status, ref("responses/Refusal")]);
  return {
    ...Object.fromEntries(plain),
    "401": ref("responses/Unauthenticated"),
    "429": ref("responses/Later"),
    "503": ref("responses/Later"),
  };
}

function refusalWith(header: string) {
  return {
    description: "no",
    headers: { ...headers, [header]: ref("headers/Text") },
    content: body("Refused"),
  };
}

function schemas() {
  const text = { type: "string" };
  return {
    Pot: { ...object({ name: text, status: ref("schemas/PotStatus") }), "x-state-machine": potMachine() },
    PotStatus: { type: "string", enum: ["empty", "full"] },
    PotCreate: object({ name: text }),
    Meta: object({ requestId: text, timestamp: text }),
    ListMeta: object({ requestId: text, timestamp: text, hasMore: { type: "boolean" }, nextCursor: text }),
    PotEnvelope: object({ data: ref("schemas/Pot"), meta: ref("schemas/Meta") }),
    PotList: object({ data: { type: "array", items: ref("schemas/Pot") }, meta: ref("schemas/ListMeta") }),
    EventType: { type: "string", enum: ["pot_filled"] },
    PotFilledEvent: object({
      id: text,
      type: { type: "string", const: "pot_filled" },
      created: text,
      data: object({ object: ref("schemas/Pot") }),
      livemode: { type: "boolean" },
    }),
    Event: object({ type: ref("schemas/EventType") }),
    Refused: object({ error: object({ code: text, message: text }), meta: object({ requestId: text }) }),
  };
}

function potMachine() {
  return {
    property: "status",
    final: ["full"],
    transitions: {
      create: { from: null, to: "empty", by: ["createPot"] },
      fill: { from: ["empty"], to: "full", by: ["fillPot"], emits: ["pot_filled?"] },
    },
  };
}

function object(properties: Record<string, unknown>) {
  return { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
}

function body(schema: string) {
  return { "application/json": { schema: ref(`schemas/${schema}`), examples: { one: { value: {} } } } };
}

function ref(path: string) {
  return { $ref: `#/components/${path}` };
}
