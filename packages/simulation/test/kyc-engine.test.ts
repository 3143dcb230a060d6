import type { KycSubject, PlannedFact } from "@gateway/ports";
import { expect, test } from "vitest";
import { createSimulatedKycEngine } from "../src/kyc-engine.ts";

const verificationId = "kyc_1";

async function planFor(familyName: string): Promise<readonly PlannedFact[]> {
  const planned: PlannedFact[] = [];
  const kycEngine = createSimulatedKycEngine(async ({ facts }) => {
    planned.push(...facts);
  });
  const subject: KycSubject = {
    givenName: "Grace",
    familyName,
    birthDate: "1990-12-31",
    country: "DE",
    address: "Here",
  };
  const documents = [{ type: "passport", country: "DE", number: "Planted", expiresOn: "2096-01-31" }] as const;
  await kycEngine.check({ accountId: "acc_1", verificationId, subject, documents });
  return planned;
}

test.each([
  ["Hopper", 30, "passed"],
  ["Reject", 30, "failed"],
  ["Review", 30, "unclear"],
  ["Slow", 3600, "passed"],
  ["reject", 30, "passed"],
])("%s: after %i s %s", async (familyName, seconds, type) => {
  const [planned, ...more] = await planFor(familyName);
  expect(planned).toMatchObject({ port: "kycEngine", afterMs: seconds * 1000, fact: { type, verificationId } });
  expect(more).toEqual([]);
});

test("the same question plans the same fact, with nothing of the person in it", async () => {
  expect(await planFor("Review")).toEqual(await planFor("Review"));
  expect(JSON.stringify(await planFor("Review"))).not.toMatch(/Grace|"Review"|Here|Planted|1990/);
});
