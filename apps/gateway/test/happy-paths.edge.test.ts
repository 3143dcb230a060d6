import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations, bodySchemaOf } from "./support/document-request.ts";
import { openSampleWorld, type SampleWorld } from "./support/sample-world.ts";

let world: SampleWorld;
beforeAll(async () => {
  world = await openSampleWorld();
});
afterAll(() => world.stop());

test.each(allOperations)("$operationId succeeds with the document's example of it", async (operation) => {
  expect(await world.call(await world.sample(operation))).toMatchObject({ status: operation.success });
});

describe("an empty object as a body", () => {
  const withDefaults = allOperations.filter((operation) => {
    const { required = [], minProperties = 0 } = operation.hasBody ? bodySchemaOf(operation) : { required: ["none"] };
    return required.length + minProperties === 0;
  });

  test.each(withDefaults)("is taken by $operationId, because each field has a default", async (operation) => {
    const sample = await world.sample(operation);
    expect(await world.call({ ...sample, body: {} })).toMatchObject({ status: operation.success });
  });
});

test.each(["application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'])(
  "%s is JSON",
  async (contentType) => {
    const operation = allOperations.find(({ operationId }) => operationId === "createWallet");
    if (!operation) {
      throw new Error("The document has createWallet.");
    }
    const sample = await world.sample(operation);
    const headers = { "Content-Type": contentType };
    expect(await world.call({ ...sample, headers })).toMatchObject({ status: operation.success });
  },
);
