import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, dataOf } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";

const person = {
  subject: { givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE", address: "Here 1" },
  documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
};
const expired = { ...person, documents: [{ ...person.documents[0], expiresOn: "2001-01-31" }] };
const decision = { decision: "verified", reason: "Seen in a call." };

type Presented = Schemas["KycVerification"];

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway));
const create = (body: object): Promise<Answer> => client.call("POST", "/kyc-verifications", body);
const created = async (body: object = person): Promise<string> => dataOf<Presented>(await create(body), 201).id;
const decide = (id: string, body: object = decision) => client.call("POST", `/kyc-verifications/${id}/decide`, body);
const simulate = (id: string, outcome: string): Promise<Answer> =>
  client.call("POST", `/sandbox/kyc-verifications/${id}/simulate`, { outcome });
const advance = (seconds: number) => client.ask("POST", "/sandbox/clock/advance", { seconds });
const forget = (id: string): Promise<Answer> => client.call("DELETE", `/kyc-verifications/${id}/personal-data`);
const get = (id: string): Promise<Presented> => client.get(`/kyc-verifications/${id}`);
const eventTypes = async () =>
  (await client.get<Schemas["Event"][]>("/events?limit=100")).map(({ type }: { type: string }) => type);
const listIds = async (query: string): Promise<string[]> =>
  (await client.get<Presented[]>(`/kyc-verifications${query}`)).map(({ id }) => id);

async function reviewed(): Promise<string> {
  const id = await created();
  await simulate(id, "review_required");
  return id;
}

describe("submitting", () => {
  test("of 20 at once of one reference one begins; the others are told which", async () => {
    const answers = await atOnce(20, () => create({ ...person, reference: "r" }));
    expect(countCodes(answers)).toEqual({ 201: 1, KYC_IN_PROGRESS: 19 });
    expect(await listIds("?reference=r")).toHaveLength(1);
  });

  test("of 20 at once that are rejected at once three are attempts, and no fourth is one for 24 hours", async () => {
    const answers = await atOnce(20, () => create({ ...expired, reference: "r" }));
    expect(countCodes(answers)).toEqual({ 201: 3, KYC_ATTEMPTS_EXHAUSTED: 17 });
    await created({ ...person, reference: "other" });
    await advance(24 * 60 * 60 - 60);
    expect(codeOf(await create({ ...person, reference: "r" }))).toBe("KYC_ATTEMPTS_EXHAUSTED");
    await advance(61);
    await created({ ...person, reference: "r" });
  });

  test("without a reference the account has 20 in 24 hours, also at once; another account has its own", async () => {
    expect(countCodes(await atOnce(25, () => create(person)))).toEqual({ 201: 20, KYC_ATTEMPTS_EXHAUSTED: 5 });
    await (await createApiClient(gateway)).create("/kyc-verifications", person);
  });

  test("a retry names the one before; lists are by reference, by status and by both", async () => {
    const first = await created({ ...expired, reference: "r" });
    const second = await created({ ...person, reference: "r" });
    expect(await get(second)).toMatchObject({ previousVerificationId: first, status: "submitted", reference: "r" });
    await created();
    const both = ["reference=r&status=rejected", "reference=r&status=verified"];
    await client.expectFilters("/kyc-verifications", ["reference=r", "status=submitted", ...both]);
  });

  test("an expired document is rejected at once, with both events, and nobody is asked", async () => {
    const id = await created(expired);
    expect(await get(id)).toMatchObject({
      ...{ status: "rejected", rejectionCode: "document_expired", rejectionReason: "A document has expired." },
      ...{ decidedBy: null, validUntil: null },
    });
    expect(await eventTypes()).toEqual(["kyc.rejected", "kyc.submitted"]);
    const work = gateway.database.kysely.selectFrom("work_items").select("kind");
    expect(await work.where("subject_id", "=", id).execute()).toEqual([{ kind: "kyc.forget" }]);
  });
});

describe("deciding", () => {
  test("of 20 at once one counts, whatever they say; the others are INVALID_STATE", async () => {
    const id = await reviewed();
    const answers = await atOnce(20, (index) =>
      decide(id, { decision: index % 2 ? "verified" : "rejected", reason: `r${index}` }),
    );
    expect(countCodes(answers)).toEqual({ 200: 1, INVALID_STATE: 19 });
    const decided = expect.stringMatching(/^kyc\.(?:verified|rejected)$/);
    expect(await eventTypes()).toEqual([decided, "kyc.review_required", "kyc.submitted"]);
  });

  test("a decision against the timers, 20 at once: one ends it, once", async () => {
    const id = await reviewed();
    const [decided] = await Promise.allSettled([
      decide(id),
      fireTimer(gateway, { kind: "kyc.undecided", subjectId: id }),
      ...Array.from({ length: 18 }, () => decide(id)),
    ]);
    expect(decided.status).toBe("fulfilled");
    expect(await eventTypes()).toHaveLength(3);
  });

  test("the reason is for admins who get it, and nowhere else; the code is the same for all", async () => {
    const id = await reviewed();
    const reasons = async () => {
      const keys = await Promise.all((["read", "write"] as const).map((one) => gateway.createKey(client.account, one)));
      const asked = [client.key, ...keys.map(({ secret }) => secret)].map((key) =>
        client.ask<Schemas["KycVerificationWithReason"]>("GET", `/kyc-verifications/${id}`, undefined, {
          "X-API-Key": key,
        }),
      );
      return (await Promise.all(asked)).map(({ decisionReason }) => decisionReason);
    };
    const decided = await decide(id, { decision: "rejected", reason: "Looks forged." });
    expect(dataOf(decided)).toMatchObject({ rejectionCode: "reviewer_decision", decidedBy: { kind: "apiKey" } });
    expect(await reasons()).toEqual(["Looks forged.", null, null]);
    await forget(id);
    expect(await reasons()).toEqual([null, null, null]);
  });
});

describe("personal data", () => {
  test("stays while the verification is open, and is deleted once: the second answer has the first time", async () => {
    const id = await created();
    expect(codeOf(await forget(id))).toBe("INVALID_STATE");
    await simulate(id, "verified");
    const first = dataOf<Presented>(await forget(id));
    expect(first.personalDataDeletedAt).not.toBeNull();
    expect(dataOf(await forget(id))).toEqual(first);
    expect(first).toMatchObject({ status: "verified", decidedBy: { kind: "engine", id: null } });
  });

  test("goes by itself 30 days after the decision", async () => {
    const id = await created();
    await simulate(id, "rejected");
    await fireTimer(gateway, { kind: "kyc.forget", subjectId: id });
    const row = await gateway.database.kysely
      .selectFrom("kyc_verifications")
      .select(["personal", "personal_deleted_at"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ personal: null, personal_deleted_at: expect.any(Date) });
  });
});

test("what is simulated comes once: of 20 at once one moves it, and what is decided is INVALID_STATE", async () => {
  const id = await created();
  const outcomes = ["verified", "rejected", "review_required"];
  const answers = await atOnce(20, (index) => simulate(id, outcomes[index % 3] ?? ""));
  expect(countCodes(answers)).toEqual({ 200: 1, INVALID_STATE: 19 });
});
