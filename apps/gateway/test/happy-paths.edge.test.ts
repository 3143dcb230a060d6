import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations, bodySchemaOf } from "./support/document-request.ts";
import { openSampleWorld, type SampleWorld } from "./support/sample-world.ts";

let world: SampleWorld;
beforeAll(async () => {
  world = await openSampleWorld();
});
afterAll(() => world.stop());

/** state-machines.edge.test.ts shows which of the events are recorded when. */
test.each(allOperations)(
  "$operationId succeeds with the document's example of it, and records events that its x-emits names",
  async (operation) => {
    const sample = await world.sample(operation);
    const before = new Set((await world.events()).map(({ id }) => id));
    expect(await world.call(sample)).toMatchObject({ status: operation.success });
    const recorded = (await world.events()).flatMap(({ id, type }) => (before.has(id) ? [] : [type]));
    // A simulation causes the events of the change that it simulates.
    if (!operation.sandboxOnly) {
      expect(operation.emits).toEqual(expect.arrayContaining(recorded));
      expect(recorded.length > 0).toBe(operation.emits.length > 0);
    }
  },
);

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
