import type { Account } from "@gateway/platform/accounts";
import type { KycVerification } from "@gateway/platform/identity";
import { noPorts } from "@gateway/ports";
import { createSimulatedPorts } from "@gateway/simulation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const verifications = "/api/v1/kyc-verifications";
const atOnce = 20;
const person = {
  subject: { givenName: "Grace", familyName: "Hopper", birthDate: "1990-12-31", country: "DE", address: "Here 1" },
  documents: [{ type: "passport", country: "DE", number: "C01X00T47", expiresOn: "2096-01-31" }],
};
const expired = { ...person, documents: [{ ...person.documents[0], expiresOn: "2001-01-31" }] };
const decision = { decision: "verified", reason: "Seen in a call." };

let gateway: TestGateway;
let account: Account;
let keys: { read: string; write: string; admin: string };

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  account = await gateway.createAccount();
  const [read, write, admin] = await Promise.all(
    (["read", "write", "admin"] as const).map((permission) => gateway.createKey(account, permission)),
  );
  keys = { read: read?.secret ?? "", write: write?.secret ?? "", admin: admin?.secret ?? "" };
});

const create = (body: object, key = keys.write): Promise<Answer> =>
  gateway.call({ method: "POST", target: verifications, key, body });
const decide = (id: string, body: object = decision): Promise<Answer> =>
  gateway.call({ method: "POST", target: `${verifications}/${id}/decide`, key: keys.admin, body });
const simulate = (id: string, outcome: string): Promise<Answer> =>
  gateway.call({
    method: "POST",
    target: `/api/v1/sandbox/kyc-verifications/${id}/simulate`,
    key: keys.write,
    body: { outcome },
  });
const forget = (id: string): Promise<Answer> =>
  gateway.call({ method: "DELETE", target: `${verifications}/${id}/personal-data`, key: keys.admin });
const get = (id: string, key = keys.admin): Promise<Answer> => gateway.call({ target: `${verifications}/${id}`, key });

type Presented = Omit<KycVerification, "createdAt"> & { rejectionReason: string | null };
const dataOf = ({ json }: Answer): Presented => (json as { data: Presented }).data;
const idOf = (answer: Answer): string => dataOf(answer).id;
const codeOf = ({ json }: Answer): unknown => (json as { error?: { code: string } }).error?.code ?? null;

async function listIds(query: string): Promise<string[]> {
  const { json } = await gateway.call({ target: `${verifications}${query}`, key: keys.read });
  return (json as { data: { id: string }[] }).data.map(({ id }) => id);
}

async function createIn(state: "review_required"): Promise<string> {
  const id = idOf(await create(person));
  await simulate(id, state);
  return id;
}

function count(answers: readonly Answer[]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(answers, (answer) => String(codeOf(answer)))).map(([code, of]) => [
      code,
      of?.length ?? 0,
    ]),
  );
}

describe("submitting", () => {
  test("of 20 at once of one reference one begins; the others are told which", async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => create({ ...person, reference: "r" })));
    expect(count(answers)).toEqual({ null: 1, KYC_IN_PROGRESS: atOnce - 1 });
    expect(await listIds("?reference=r")).toHaveLength(1);
  });

  test("of 20 at once that are rejected at once three are attempts, and no fourth is one for 24 hours", async () => {
    const answers = await Promise.all(Array.from({ length: atOnce }, () => create({ ...expired, reference: "r" })));
    expect(count(answers)).toEqual({ null: 3, KYC_ATTEMPTS_EXHAUSTED: atOnce - 3 });
    expect(codeOf(await create({ ...person, reference: "other" }))).toBeNull();
    const advance = (seconds: number): Promise<Answer> =>
      gateway.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", key: keys.write, body: { seconds } });
    await advance(24 * 60 * 60 - 60);
    expect(codeOf(await create({ ...person, reference: "r" }))).toBe("KYC_ATTEMPTS_EXHAUSTED");
    await advance(61);
    expect(codeOf(await create({ ...person, reference: "r" }))).toBeNull();
  });

  test("without a reference the account has 20 in 24 hours, also at once; another account has its own", async () => {
    const answers = await Promise.all(Array.from({ length: atOnce + 5 }, () => create(person)));
    expect(count(answers)).toEqual({ null: atOnce, KYC_ATTEMPTS_EXHAUSTED: 5 });
    const { secret } = await gateway.createKey(await gateway.createAccount(), "write");
    expect(codeOf(await create(person, secret))).toBeNull();
  });

  test("of 20 at once with one external id one begins; it stays taken, and finds the one", async () => {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, index) => create({ ...person, reference: `r${index}`, externalId: "e" })),
    );
    expect(count(answers)).toEqual({ null: 1, EXTERNAL_ID_USED: atOnce - 1 });
    const winner = answers.find((answer) => answer.status === 201);
    expect(await listIds("?externalId=e")).toEqual([winner && idOf(winner)]);
  });

  test("a retry names the one before; the last three are listed newest first, by reference and by status", async () => {
    const first = idOf(await create({ ...expired, reference: "r" }));
    const second = await create({ ...person, reference: "r" });
    expect(dataOf(second)).toMatchObject({ previousVerificationId: first, status: "submitted", reference: "r" });
    const other = idOf(await create(person));
    expect(await listIds("?reference=r")).toEqual([idOf(second), first]);
    expect(await listIds("?status=submitted")).toEqual([other, idOf(second)]);
    expect(await listIds("?reference=r&status=rejected")).toEqual([first]);
    expect(await listIds("?reference=r&status=verified")).toEqual([]);
  });

  test("an expired document is rejected at once, with both events, and nobody is asked", async () => {
    const answer = await create(expired);
    expect(dataOf(answer)).toMatchObject({
      status: "rejected",
      rejectionCode: "document_expired",
      rejectionReason: "A document has expired.",
      decidedBy: null,
      validUntil: null,
    });
    const { json } = await gateway.call({ target: "/api/v1/events", key: keys.read });
    const events = (json as { data: { type: string; data: { object: Presented } }[] }).data;
    expect(events.map(({ type, data }) => [type, data.object.status])).toEqual([
      ["kyc.rejected", "rejected"],
      ["kyc.submitted", "submitted"],
    ]);
    const work = gateway.database.kysely.selectFrom("work_items").select("kind");
    expect(await work.where("subject_id", "=", idOf(answer)).execute()).toEqual([{ kind: "kyc.forget" }]);
  });

  test.each([
    [{ subject: { ...person.subject, birthDate: "1990-02-30" } }, "subject.birthDate"],
    [{ subject: { ...person.subject, country: "de" } }, "subject.country"],
    [{ subject: { ...person.subject, familyName: "Hop\u202Eper" } }, "subject.familyName"],
    [{ documents: [] }, "documents"],
    [{ documents: Array(4).fill(person.documents[0]) }, "documents"],
    [{ documents: [{ ...person.documents[0], type: "library_card" }] }, "documents.0.type"],
    [{ reference: "" }, "reference"],
  ])("%j is refused on %s", async (change, field) => {
    const answer = await create({ ...person, ...change });
    expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ field }] } } });
  });

  test("without an engine it is 503, and nothing is written; what is there is read", async () => {
    const none = await startTestGateway({
      databaseUrl: gateway.databaseUrl,
      createPorts: () => noPorts,
    });
    try {
      const answer = await none.call({ method: "POST", target: verifications, key: keys.write, body: person });
      expect(answer).toMatchObject({ status: 503, json: { error: { code: "UNAVAILABLE" } } });
      expect(await listIds("")).toEqual([]);
    } finally {
      await none.stop();
    }
  });
});

describe("deciding", () => {
  test("of 20 at once one counts, whatever they say; the others are INVALID_STATE", async () => {
    const id = await createIn("review_required");
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        decide(id, { decision: index % 2 ? "verified" : "rejected", reason: `r${index}` }),
      ),
    );
    expect(count(answers)).toEqual({ null: 1, INVALID_STATE: atOnce - 1 });
    const { json } = await gateway.call({ target: "/api/v1/events?limit=100", key: keys.read });
    const types = (json as { data: { type: string }[] }).data.map(({ type }) => type);
    expect(types).toEqual([
      expect.stringMatching(/^kyc\.(?:verified|rejected)$/),
      "kyc.review_required",
      "kyc.submitted",
    ]);
  });

  test("a decision against the timers, 20 at once: one ends it, once", async () => {
    const id = await createIn("review_required");
    const [decided] = await Promise.allSettled([
      decide(id),
      fireTimer(gateway, { kind: "kyc.undecided", subjectId: id }),
      ...Array.from({ length: atOnce - 2 }, () => decide(id)),
    ]);
    expect(decided.status).toBe("fulfilled");
    const { json } = await gateway.call({ target: "/api/v1/events?limit=100", key: keys.read });
    expect((json as { data: unknown[] }).data).toHaveLength(3);
  });

  test("the reason is for admins who get it, and nowhere else; the code is the same for all", async () => {
    const id = await createIn("review_required");
    const answer = await decide(id, { decision: "rejected", reason: "Looks forged." });
    expect(dataOf(answer)).toMatchObject({ rejectionCode: "reviewer_decision", decidedBy: { kind: "apiKey" } });
    expect((await get(id)).json).toMatchObject({ data: { decisionReason: "Looks forged." } });
    for (const key of [keys.read, keys.write]) {
      expect((await get(id, key)).json).toMatchObject({ data: { decisionReason: null } });
    }
    await forget(id);
    expect((await get(id)).json).toMatchObject({ data: { decisionReason: null } });
  });

  test("a key that may only write decides nothing, and nobody decides what is another account's", async () => {
    const id = await createIn("review_required");
    const target = `${verifications}/${id}/decide`;
    expect(await gateway.call({ method: "POST", target, key: keys.write, body: decision })).toMatchObject({
      status: 403,
    });
    const { secret } = await gateway.createKey(await gateway.createAccount(), "admin");
    expect(await gateway.call({ method: "POST", target, key: secret, body: decision })).toMatchObject({ status: 404 });
    expect(dataOf(await get(id)).status).toBe("review_required");
  });
});

describe("personal data", () => {
  test("stays while the verification is open, and is deleted once: the second answer has the first time", async () => {
    const id = idOf(await create(person));
    expect(codeOf(await forget(id))).toBe("INVALID_STATE");
    await simulate(id, "verified");
    const first = dataOf(await forget(id));
    expect(first.personalDataDeletedAt).not.toBeNull();
    expect(dataOf(await forget(id))).toEqual(first);
    expect(first).toMatchObject({ status: "verified", decidedBy: { kind: "engine", id: null } });
  });

  test("goes by itself 30 days after the decision", async () => {
    const id = idOf(await create(person));
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

test("what the simulated engine had planned to tell alarms nobody when something else was simulated", async () => {
  const simulated = await startTestGateway({ databaseUrl: gateway.databaseUrl, createPorts: createSimulatedPorts });
  const ask = (target: string, body: object): Promise<Answer> =>
    simulated.call({ method: "POST", target: `/api/v1${target}`, key: keys.write, body });
  const refused = { ...person, subject: { ...person.subject, familyName: "Reject" } };
  const id = idOf(await ask("/kyc-verifications", refused));
  await ask("/sandbox/clock/advance", { seconds: 1 });
  await ask(`/sandbox/kyc-verifications/${id}/simulate`, { outcome: "verified" });
  await ask("/sandbox/clock/advance", { seconds: 60 });
  expect(dataOf(await get(id)).status).toBe("verified");
  const open = await simulated.platform.work.inbox.listOpen(1_000);
  expect(open.filter(({ subjectId }) => subjectId === id)).toEqual([]);
  await simulated.stop();
});

test("what is simulated comes once: of 20 at once one moves it, and what is decided is INVALID_STATE", async () => {
  const id = idOf(await create(person));
  const answers = await Promise.all(
    Array.from({ length: atOnce }, (_, index) =>
      simulate(id, ["verified", "rejected", "review_required"][index % 3] ?? ""),
    ),
  );
  expect(count(answers)).toEqual({ null: 1, INVALID_STATE: atOnce - 1 });
});
