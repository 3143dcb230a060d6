import { enforcedOpenapi, eventTypes, exampleEvent, openapi, type OperationPolicy } from "@gateway/contract";
import { createEventCheck } from "@gateway/platform/events";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { allOperations } from "./support/document-request.ts";
import { createResolve } from "./support/requests/request-schema.ts";

/** The published document, compiled as a reader compiles it. */
const published = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
addFormats.default(published);
published.addSchema(openapi(), "document");

const enforced = new Map(prepareOperations(enforcedOpenapi()).map((operation) => [operation.operationId, operation]));
const checkEvent = createEventCheck(enforcedOpenapi());

const { paths } = openapi();
const resolve = createResolve(openapi());

test.each(allOperations)(
  "a field that is added to an answer of $operationId passes readers at every level, and not what we hold ourselves to",
  (operation) => {
    const examples = examplesOf(operation);
    expect(examples.map(({ status }) => status)).toEqual(expect.arrayContaining([operation.success, 400, 401]));
    for (const { status, schema, value } of examples) {
      const hold = (answer: unknown): void =>
        enforced.get(operation.operationId)?.checkResponse(status, answer as object);
      expect(faultsOf(schema, value)).toBeNull();
      hold(value);
      for (const { place, value: extended } of extensionsOf(value)) {
        expect(faultsOf(schema, extended), place).toBeNull();
        expect(
          isRefused(() => hold(extended)),
          place,
        ).toBe(!isMap(place));
      }
    }
  },
);

test.each(eventTypes)("a field that is added to %s passes receivers at every level, and is not recorded", (type) => {
  const event = exampleEvent(type);
  const schema = requestOf(openapi().webhooks?.[type]?.["post"]);
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
    const schema = requestOf(paths[path]?.[method]);
    expect(faultsOf(schema, { addedLater: "new" })).toContain("must NOT have additional properties");
  },
);

type Media = { schema: { $ref: string }; examples?: Record<string, { $ref?: string; value?: unknown }> };
type Content = { $ref?: string; content?: { "application/json": Media } };

/** The documented responses of an operation: the success, and each refusal. */
function examplesOf({ path, method }: OperationPolicy): { status: number; schema: string; value: unknown }[] {
  // The linter has validated the document against the OpenAPI schema.
  const operation = paths[path]?.[method] as { responses: Record<string, Content> } | undefined;
  return Object.entries(operation?.responses ?? {}).flatMap(([status, response]) => {
    const { schema, examples = {} } = mediaOf(response);
    const values = Object.values(examples).map((example) => resolve(example).value);
    return values.map((value) => ({ status: Number(status), schema: schema.$ref, value }));
  });
}

function requestOf(operation: unknown): string {
  return mediaOf((operation as { requestBody: Content }).requestBody).schema.$ref;
}

/** Each body is one component in JSON. Another style fails here. */
function mediaOf(content: unknown): Media {
  const media = resolve(content as Content).content?.["application/json"];
  if (!media) {
    throw new Error(`The document has no JSON schema in ${JSON.stringify(content)}.`);
  }
  return media;
}

function faultsOf(schema: string, value: unknown): string | null {
  const check = published.getSchema(`document${schema}`);
  if (!check) {
    throw new Error(`The document has no ${schema}.`);
  }
  return check(value) ? null : published.errorsText(check.errors);
}

/**
 * Adds a field to each object in the value, one at a time. Its value is a string, because some objects are maps of
 * strings.
 */
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

/** Recognizes maps, which callers fill freely, and the object of an event of any type. */
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
