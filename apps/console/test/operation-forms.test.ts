import { operations, type OpenApiDocument, type OperationPolicy } from "@gateway/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  controlFor,
  isObject,
  optionFor,
  setAt,
  startOf,
  textOf,
  valueOfText,
  withoutSecrets,
} from "../browser/screens/try/form-values.ts";
import { exampleDraft } from "../browser/screens/try/drafts.ts";
import { isDestructive } from "../browser/screens/try/what-asks.ts";
import type { FormSchema, Json } from "../src/build/form-schema.ts";
import { formSchemaOf, operationForms } from "../src/build/operation-forms.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

const forms = operationForms();
const rows = Object.values<OperationPolicy>(operations);
const nothing: OpenApiDocument = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: {} };

/** The value that a form sends when each of its controls is emptied, and filled in again as it was shown. */
function typedAgain(schema: FormSchema, value: Json): Json {
  const kind = controlFor(schema, value);
  if (kind === "json") {
    return valueOfText({ kind: "json" }, JSON.stringify(value));
  }
  switch (schema.kind) {
    case "object":
      return partsAgain(
        value,
        (name) => schema.properties.find((one) => one.name === name)?.schema ?? { kind: "json" },
      );
    case "map":
      return partsAgain(value, () => schema.values);
    case "list":
      return (value as Json[]).reduce<Json>(
        (list, item, index) => setAt(list, [index], typedAgain(schema.items, item)) ?? null,
        [],
      );
    case "union": {
      const option = schema.options[optionFor(schema.options, value)];
      return option ? typedAgain(option, value) : null;
    }
    case "boolean":
    case "choice":
    case "nothing":
      return value;
    default:
      return valueOfText(schema, textOf(value));
  }
}

function partsAgain(value: Json, schemaOf: (name: string) => FormSchema): Json {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.reduce<Json>(
    (object, [name, one]) => setAt(object, [name], typedAgain(schemaOf(name), one)) ?? null,
    {},
  );
}

/** The controls that show a value. */
function kindsIn(schema: FormSchema, value: Json): string[] {
  const kind = controlFor(schema, value);
  if (schema.kind === "object" && kind === "object" && isObject(value)) {
    return schema.properties.flatMap((one) => {
      const inner = value[one.name];
      return inner === undefined ? [] : kindsIn(one.schema, inner);
    });
  }
  return schema.kind === "list" && Array.isArray(value) ? value.flatMap((item) => kindsIn(schema.items, item)) : [kind];
}

describe("the form of an operation", () => {
  test("is there for each of the document, with all that it takes", () => {
    for (const { operationId, path, hasBody, idempotencyKey } of rows) {
      const form = forms.get(operationId);
      const names = form?.parameters.filter((one) => one.in === "path").map(({ name }) => `{${name}}`) ?? [];
      expect(names.toSorted(), operationId).toEqual((path.match(/\{\w+\}/g) ?? []).toSorted());
      expect(form?.body !== null, operationId).toBe(hasBody);
      expect(
        form?.parameters.some(({ name }) => name === "Idempotency-Key"),
        operationId,
      ).toBe(idempotencyKey);
      expect(form?.about, operationId).toMatch(/\w/);
    }
    expect(forms.size).toBe(rows.length);
  });

  test("begins with the document's example, and what has to be in the path and the query", () => {
    for (const [operationId, form] of forms) {
      const { parameters, body } = exampleDraft(form);
      expect(body, operationId).toEqual(form.body?.examples[0]?.value);
      for (const { name, isRequired } of form.parameters) {
        expect(isRequired ? parameters[name] : "absent", `${operationId} ${name}`).toMatch(/./);
      }
    }
  });

  test("gives each example of the document back as it was, byte by byte, and has a control for all of it", () => {
    let count = 0;
    for (const [operationId, { body }] of forms) {
      for (const { name, value } of body?.examples ?? []) {
        count += 1;
        expect(JSON.stringify(typedAgain(body?.schema ?? { kind: "json" }, value)), `${operationId} ${name}`).toBe(
          JSON.stringify(value),
        );
        expect(kindsIn(body?.schema ?? { kind: "json" }, value), `${operationId} ${name}`).not.toContain("json");
      }
    }
    expect(count).toBeGreaterThan(40);
  });

  test("keeps nothing that is write-only, wherever it stands", () => {
    const form = forms.get("createCounterparty")?.body;
    const example = form?.examples[0]?.value;
    expect(isObject(example) && Object.keys(example)).toContain("accountNumber");
    const kept = withoutSecrets(form?.schema ?? { kind: "json" }, example);
    expect(Object.keys(kept ?? {})).toEqual(Object.keys(example ?? {}).filter((name) => name !== "accountNumber"));
    const secret: FormSchema = { kind: "text", isSecret: true };
    expect(withoutSecrets({ kind: "list", items: secret }, ["a"])).toEqual([]);
    expect(withoutSecrets({ kind: "union", options: [secret, { kind: "nothing" }] }, "a")).toBeUndefined();
    expect(withoutSecrets({ kind: "map", values: secret }, { a: "a" })).toBeUndefined();
    // The value has another shape, so the place of the secret in it is unknown.
    expect(withoutSecrets(form?.schema ?? secret, "DE89370400440532013000")).toBeUndefined();
    expect(withoutSecrets({ kind: "text" }, "a")).toBe("a");
  });
});

/** Schemas as documents have them, each with values that match. */
type Case = { schema: Record<string, unknown>; value: Json };

const { one: cases } = fc.letrec<{ one: Case }>((tie) => ({
  one: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string({ unit: "binary" }).map((value): Case => ({ schema: { type: "string" }, value })),
    fc.maxSafeInteger().map((value): Case => ({ schema: { type: "integer" }, value })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value): Case => ({ schema: { type: "number" }, value })),
    fc.boolean().map((value): Case => ({ schema: { type: "boolean" }, value })),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 })
      .map((listed): Case => ({ schema: { enum: listed }, value: listed.at(-1) ?? null })),
    fc.constant<Case>({ schema: { type: ["string", "null"] }, value: null }),
    fc.tuple(tie("one"), fc.nat(3)).map(([{ schema, value }, count]): Case => ({
      schema: { type: "array", items: schema },
      value: Array.from({ length: count }, () => value),
    })),
    fc.dictionary(fc.string(), tie("one"), { maxKeys: 4 }).map((parts): Case => ({
      schema: {
        type: "object",
        properties: Object.fromEntries(Object.entries(parts).map(([name, { schema }]) => [name, schema])),
      },
      value: Object.fromEntries(Object.entries(parts).map(([name, { value }]) => [name, value])),
    })),
    fc.tuple(fc.dictionary(fc.string(), fc.string()), fc.nat()).map(([value]): Case => ({
      schema: { type: "object", additionalProperties: { type: "string" } },
      value,
    })),
    fc.tuple(tie("one"), tie("one"), fc.boolean()).map(([first, second, isFirst]): Case => ({
      schema: { oneOf: [first.schema, second.schema] },
      value: isFirst ? first.value : second.value,
    })),
  ),
}));

describe("any schema", () => {
  test("takes its own values, and gives them back as they were", () => {
    fc.assert(
      fc.property(cases, ({ schema, value }) => {
        const form = formSchemaOf(nothing, schema);
        expect(JSON.stringify(typedAgain(form, value))).toBe(JSON.stringify(value));
      }),
      { seed, numRuns: 500 },
    );
  });

  test("shows what is not of it as JSON, and gives that back as well", () => {
    fc.assert(
      fc.property(cases, fc.jsonValue(), ({ schema }, value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(JSON.stringify(typedAgain(formSchemaOf(nothing, schema), json))).toBe(JSON.stringify(json));
      }),
      { seed, numRuns: 500 },
    );
  });

  test("a number that cannot be kept exactly is sent as it was typed, and so is what is none", () => {
    const number: FormSchema = { kind: "number" };
    expect(valueOfText(number, "9007199254740991")).toBe(9_007_199_254_740_991);
    for (const text of ["9007199254740993", "1e999", "0x10", "01", " 1", "1.", "", "NaN", "-"]) {
      expect(valueOfText(number, text)).toBe(text);
    }
    expect(valueOfText(number, "1.05")).toBe(1.05);
  });

  test("a part that is added begins with what its control shows", () => {
    fc.assert(
      fc.property(cases, ({ schema }) => {
        const form = formSchemaOf(nothing, schema);
        expect(controlFor(form, startOf(form))).not.toBe("absent");
      }),
      { seed },
    );
    expect(setAt({ a: [1, 2, 3], b: 4 }, ["a", 1], undefined)).toEqual({ a: [1, 3], b: 4 });
    expect(setAt({ a: 1, b: 2 }, ["a"], undefined)).toEqual({ b: 2 });
  });
});

test("one more press is asked for by what takes something away or decides", () => {
  const asking = rows.filter((row) => isDestructive(row.operationId, row)).map(({ operationId }) => operationId);
  expect(asking.join(" ")).toMatchInlineSnapshot(
    `"revokeApiKey rollApiKey deleteOauthApplication removePerson closeWallet freezeWallet reverseLedgerTransaction deleteCounterparty decideKycVerification deleteKycPersonalData cancelPayment cancelTransfer approveApproval rejectApproval replaceTransferPolicy deleteAddressBookEntry cancelOrder replaceOrder deleteWebhook disableWebhook rollWebhookSecret"`,
  );
});
