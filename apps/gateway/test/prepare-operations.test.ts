import { enforcedOpenapi, type OpenApiDocument } from "@gateway/contract";
import { describe, expect, test } from "vitest";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../src/validation/request-check.ts";

const prepare = async (document: OpenApiDocument): Promise<unknown> =>
  prepareOperations(document).map((operation) => createRequestCheck(operation));

describe("a mistake in the document stops the start", () => {
  test.each([
    ["a type that is none", "Name", { type: "strng" }, /type must be JSONType/],
    ["a pattern that is none", "Name", { type: "string", pattern: "(" }, /Invalid regular expression/],
    ["a format that nobody knows", "Timestamp", { type: "string", format: "date-tmie" }, /unknown format "date-tmie"/],
    ["a bound that is no number", "MinorUnits", { type: "integer", minimum: "0" }, /minimum value must be/],
    ["a reference to nothing", "Wallet", { $ref: "#/components/schemas/Wlalet" }, /can't resolve reference .*Wlalet/],
  ])("%s", async (_, name, schema, message) => {
    const document = enforcedOpenapi();
    document.components["schemas"] = { ...document.components["schemas"], [name]: schema };
    await expect(prepare(document)).rejects.toThrow(message);
  });

  test("a parameter whose text nobody has said how to read", async () => {
    const document = enforcedOpenapi();
    document.components["parameters"] = {
      ...document.components["parameters"],
      Limit: { name: "limit", in: "query", schema: { type: "number" } },
    };
    await expect(prepare(document)).rejects.toThrow("The query parameter limit is of the type number");
  });
});

test("a schema that is compiled at its first use refuses what one compiled at the start refuses", () => {
  const [eager, late] = (["nothing", "everything"] as const).map((atFirstUse) =>
    prepareOperations(enforcedOpenapi(), { atFirstUse }).find(({ operationId }) => operationId === "createWallet"),
  );
  const requests = [{ currency: "EUR", name: "Rent" }, { currency: "EURO", name: "Rent" }, {}, null].map((body) => ({
    ...{ query: {}, headers: { "idempotency-key": "0123456789abcdef" }, params: {}, body },
  }));
  const verdicts = requests.map((request) => eager?.checkRequest(structuredClone(request)));
  expect(verdicts.map((verdict) => verdict === null)).toEqual([true, false, false, false]);
  expect(requests.map((request) => late?.checkRequest(structuredClone(request)))).toEqual(verdicts);
});

test("a mistake in a schema that is compiled at its first use fails that request, and not the start", () => {
  const document = enforcedOpenapi();
  document.components["schemas"] = { ...document.components["schemas"], Name: { type: "strng" } };
  const operations = prepareOperations(document, { atFirstUse: "everything" });
  const named = operations.find(({ operationId }) => operationId === "createApiKey");
  expect(() => named?.checkRequest({ query: {}, headers: {}, params: {}, body: { name: "a" } })).toThrow(
    /type must be JSONType/,
  );
});
