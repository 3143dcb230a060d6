import { enforcedOpenapi, eventTypes, exampleEvent, openapi, type OperationPolicy } from "@gateway/contract";
import { createEventCheck, type Account } from "@gateway/platform";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { isForPeople, signInAtConsole } from "./support/for-people.ts";
import type { Answer } from "./support/http-client.ts";
import { allOperations, withQuery } from "./support/document-request.ts";
import { sampleRequest, type SampleRequest } from "./support/sample-request.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

/** What the document's readers compile, by none of our code. */
const published = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(published);
published.addSchema(openapi(), "document");

const enforced = new Map(prepareOperations(enforcedOpenapi()).map((operation) => [operation.operationId, operation]));
const checkEvent = createEventCheck(enforcedOpenapi());

describe("a field that is added to an answer", () => {
  let issuer: TestIssuer;
  let gateway: TestGateway;
  let account: Account;
  let key: string;
  let signIn: () => Promise<Record<string, string>>;
  const freshClient = createFreshClients();

  beforeAll(async () => {
    // Invitations are mailed with the identity provider's address.
    issuer = await startTestIssuer({ authUrl: "https://auth.example.com" });
    gateway = await startTestGateway({ issuer, env: behindProxy });
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
    signIn = await signInAtConsole(gateway, { issuer, account });
  });
  afterAll(async () => {
    await gateway.stop();
    await issuer.stop();
  });

  test.each(allOperations)(
    "$operationId: passes readers at every level, and not what we hold ourselves to",
    async (operation) => {
      const { platform, database } = gateway;
      const request = await sampleRequest(operation, { platform, database, accountId: account.id });
      const credential = isForPeople(request) ? await signIn() : { "X-API-Key": key };
      const answers = [
        await send({ ...request, target: withQuery(request.target, "addedLater=1") }, credential),
        await send(request),
        await send(request, credential),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 401, operation.success]);
      for (const { status, json } of answers) {
        const schema = answerSchemaOf(operation, status);
        expect(faultsOf(schema, json)).toBeNull();
        for (const { place, value } of extensionsOf(json)) {
          expect(faultsOf(schema, value), place).toBeNull();
          const hold = (): void => enforced.get(operation.operationId)?.checkResponse(status, value as object);
          expect(isRefused(hold), place).toBe(!isMap(place));
        }
      }
    },
  );

  function send(request: SampleRequest, credential: Record<string, string> = {}): Promise<Answer> {
    return gateway.call({ ...request, headers: { ...freshClient(), ...credential } });
  }
});

test.each(eventTypes)("a field that is added to %s passes receivers at every level, and is not recorded", (type) => {
  const event = exampleEvent(type);
  const schema = schemaIn(openapi().webhooks?.[type]?.["post"], "requestBody");
  expect(faultsOf(schema, event)).toBeNull();
  for (const { place, value } of extensionsOf(event)) {
    expect(faultsOf(schema, value), place).toBeNull();
    expect(
      isRefused(() => checkEvent(type, value as object)),
      place,
    ).toBe(!isMap(place));
  }
});

test.each(allOperations.filter(({ hasBody }) => hasBody))(
  "$operationId: a field that is added to a request is refused by the published document too",
  ({ path, method }) => {
    const schema = schemaIn(openapi().paths[path]?.[method], "requestBody");
    expect(faultsOf(schema, { addedLater: "new" })).toContain("must NOT have additional properties");
  },
);

type Media = { $ref?: string; content?: { "application/json": { schema: { $ref: string } } } };

function answerSchemaOf({ path, method }: OperationPolicy, status: number): string {
  return schemaIn(openapi().paths[path]?.[method], "responses", String(status));
}

/** Where the schema of a body stands: each is one component. */
function schemaIn(operation: unknown, ...steps: readonly string[]): string {
  // The document's own style, and what is otherwise fails here.
  const media = steps.reduce((node, step) => (node as Record<string, unknown>)[step], operation) as Media;
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec(media.$ref ?? "") ?? [];
  const found = (openapi().components[kind]?.[name] ?? media) as Media;
  return found.content?.["application/json"].schema.$ref ?? "";
}

function faultsOf(schema: string, value: unknown): string | null {
  const check = published.getSchema(`document${schema}`);
  if (!check) {
    throw new Error(`The document has no ${schema}.`);
  }
  return check(value) ? null : published.errorsText(check.errors);
}

/** The value with one more field, once for each object in it. A text, for some are maps of texts. */
function extensionsOf(value: unknown, place = "body"): { place: string; value: unknown }[] {
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const inside = Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    extensionsOf(one, `${place}.${key}`).map((extension) => ({
      ...extension,
      value: Array.isArray(value) ? value.with(Number(key), extension.value) : { ...value, [key]: extension.value },
    })),
  );
  return Array.isArray(value) ? inside : [{ place, value: { ...value, addedLater: "new" } }, ...inside];
}

/** What callers fill as they like, and the object of an event of any type. */
function isMap(place: string): boolean {
  return /\.metadata$|^body\.data(\.\d+)?\.data\.object/.test(place);
}

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}
