import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createCipher } from "@gateway/kernel";
import type { Account } from "@gateway/platform/accounts";
import { type KycEngine, noPorts } from "@gateway/ports";
import { atOnce, codeOf, countCodes, dataOf } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { useGateway } from "./support/use-gateway.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { encryptionKey } from "./support/test-gateway.ts";

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

describe("what is personal", () => {
  const verifications = "/api/v1/kyc-verifications";
  const subject = {
    givenName: "Plantéd-Grace",
    familyName: "Planted-Hopper",
    birthDate: "1987-06-05",
    country: "DE",
    address: "Planted Street 4711, 10115 Plantedberg",
  };
  const documents = [{ type: "passport", country: "DE", number: "PLANTED01X", expiresOn: "2096-07-08" }];
  const body = { subject, documents };
  const reason = "Planted reason: Hopper showed it";
  const parts = [
    ...[subject.givenName, subject.familyName, subject.birthDate, subject.address, "Plantedberg"],
    ...["PLANTED01X", "2096-07-08", reason],
  ];

  let account: Account;
  let key: string;
  const checked: Parameters<KycEngine["check"]>[0][] = [];

  const gateway = useGateway({
    createPorts: (planFacts) => ({
      ...noPorts,
      kycEngine: {
        check: async (check) => {
          checked.push(check);
          const { accountId, verificationId } = check;
          const fact = { type: "passed", verificationId } as const;
          await planFacts({ accountId, facts: [{ port: "kycEngine", factId: verificationId, afterMs: 0, fact }] });
        },
      },
    }),
  });
  beforeAll(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });

  const post = (target: string, sent: object, headers: Record<string, string> = {}): Promise<Answer> =>
    gateway.call({ method: "POST", target, key, body: sent, headers });
  const idOf = ({ json }: Answer): string => (json as { data: { id: string } }).data.id;

  test("names, days, addresses, numbers and reasons are found in no row, log, event or answer after a whole run", async () => {
    await post("/api/v1/webhooks", { url: "https://hooks.example.com/in", events: ["kyc.submitted", "kyc.verified"] });
    const once = { "Idempotency-Key": "once" };
    const first = await post(verifications, { ...body, reference: "r" }, once);
    expect(await post(verifications, { ...body, reference: "r" }, once)).toMatchObject({
      status: 201,
      text: first.text,
    });
    const id = idOf(first);
    await fireTimer(gateway, { kind: "kyc.check", subjectId: id });
    expect(checked).toEqual([{ accountId: account.id, verificationId: id, subject, documents }]);
    const planned = await gateway.database.kysely.selectFrom("planned_facts").select("id").executeTakeFirstOrThrow();
    await fireTimer(gateway, { kind: "fact.tell", subjectId: planned.id });

    const reviewed = idOf(await post(verifications, { ...body, reference: "s" }));
    await post(`/api/v1/sandbox/kyc-verifications/${reviewed}/simulate`, { outcome: "review_required" });
    const decided = await post(
      `${verifications}/${reviewed}/decide`,
      { decision: "rejected", reason },
      { "Idempotency-Key": "d" },
    );
    const underage = await post(verifications, { ...body, subject: { ...subject, birthDate: "2020-06-05" } });
    const refused = [
      await post(verifications, { ...body, reference: "t" }, once),
      await post(verifications, { ...body, subject: { ...subject, birthDate: "1987-06-31" } }),
      await post(verifications, { ...body, subject: { ...subject, givenName: `${subject.givenName}\u202E` } }),
      await post(verifications, { ...body, subject: { ...subject, country: subject.address } }),
      await post(verifications, { ...body, subject: subject.address }),
      await post(verifications, { ...body, documents: [{ ...documents[0], type: documents[0]?.number }] }),
      await post(verifications, { ...body, documents: [{ ...documents[0], passport: documents[0]?.number }] }),
      await post(`${verifications}/${reviewed}/decide`, { decision: reason, reason }),
      await post(`${verifications}/${reviewed}/decide`, { decision: "verified", reason }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, ...Array<number>(7).fill(400), 409]);
    const answered = await Promise.all(
      [verifications, `${verifications}/${id}`, "/api/v1/events", "/api/v1/audit-events", "/api/v1/deliveries"].map(
        (target) => gateway.call({ target, key }),
      ),
    );
    expect(answered.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(answered[0]?.json).toMatchObject({
      data: [{ status: "rejected" }, { status: "rejected" }, { status: "verified" }],
    });

    const [dump, log] = [await dumpDatabase(gateway.database), gateway.logLines.join("\n")];
    expect([dump.includes(id), log.includes("createKycVerification")]).toEqual([true, true]);
    const shown = [first, decided, underage, ...refused, ...answered].map(({ text }) => text).join("\n");
    for (const text of [dump, log, shown]) {
      expect(parts.filter((part) => holdsText(text, part))).toEqual([]);
    }
    // The one place where a reason is shown.
    expect((await gateway.call({ target: `${verifications}/${reviewed}`, key })).text).toContain(reason);
  });

  test("what was submitted is sealed for its row and account, and opens no more once it is deleted", async () => {
    const id = idOf(await post(verifications, body));
    const read = () =>
      gateway.database.kysely
        .selectFrom("kyc_verifications")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    const { personal } = await read();
    const open = (context: string): string =>
      createCipher([encryptionKey])
        .open(personal ?? Buffer.alloc(0), context)
        .toString();
    expect(JSON.parse(open(`kyc personal data ${account.id} ${id}`))).toEqual(body);
    for (const context of [`kyc reason ${account.id} ${id}`, `kyc personal data acc_other ${id}`]) {
      expect(() => open(context)).toThrow();
    }
    await post(`/api/v1/sandbox/kyc-verifications/${id}/simulate`, { outcome: "verified" });
    await gateway.call({ method: "DELETE", target: `${verifications}/${id}/personal-data`, key });
    expect(await read()).toMatchObject({ personal: null, reason: null });
  });
});
