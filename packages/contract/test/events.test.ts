import { describe, expect, test } from "vitest";
import document from "../src/generated/openapi.json" with { type: "json" };
import { eventSchemas, eventTypes, exampleEvent } from "../src/index.ts";

const { schemas } = document.components;

test("a webhook may ask for every type of event", () => {
  expect(schemas.EventTypes.maxItems).toBe(eventTypes.length);
});

describe.each(eventTypes)("%s", (type) => {
  const example = exampleEvent(type);

  test("has a schema of its own, with its type as a constant", () => {
    expect(schemas[eventSchemas[type]].properties.type.const).toBe(type);
  });

  test("has an example of its type", () => {
    expect(example.type).toBe(type);
  });

  test("has an example whose status is the one that its name tells", () => {
    const status = "status" in example.data.object ? example.data.object.status : null;
    expect(status ?? statusOf(type)).toBe(statusOf(type));
  });

  test("is about one that happened in the sandbox", () => {
    expect(example.livemode).toBe(false);
  });
});

test.each([
  ["payment.failed", "failureCode", "failureReason"],
  ["kyc.rejected", "rejectionCode", "rejectionReason"],
] as const)("%s says by %s to programs and by %s to people what was wrong", (type, code, reason) => {
  expect(exampleEvent(type).data.object).toMatchObject({
    [code]: expect.stringMatching(/^[a-z_]+$/),
    [reason]: expect.any(String),
  });
});

test.each(eventTypes)("%s has no code of a failure unless it failed", (type) => {
  const { failureCode = null, rejectionCode = null } = exampleEvent(type).data.object as Record<string, unknown>;
  expect(failureCode !== null || rejectionCode !== null).toBe(/\.(?:failed|rejected)$/.test(type));
});

test("a change of a balance says which of two is later, what moved the money, and where it is booked", () => {
  const { object } = exampleEvent("wallet.balance_changed").data;
  expect(object).toMatchObject({ version: 12, cause: { type: "payment" }, ledgerTransactionId: expect.any(String) });
  const movedMinor = { ...object.balanceBefore, held: (object.balanceBefore.held ?? 0) - 125_000 };
  expect(object.balanceAfter).toEqual(movedMinor);
});

test("an example is a copy, so a change does not show in the next one", () => {
  const changed = exampleEvent("wallet.created");
  changed.data.object.name = "Changed";
  expect(exampleEvent("wallet.created").data.object.name).not.toBe("Changed");
});

/** `payment.settled` reports that a payment is settled; a wallet begins active. */
function statusOf(type: string): string | undefined {
  return type === "wallet.created" ? "active" : type.split(".").at(-1);
}
