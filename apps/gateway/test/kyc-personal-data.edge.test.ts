import { createCipher } from "@gateway/kernel";
import type { Account } from "@gateway/platform/accounts";
import { noPorts, type KycEngine } from "@gateway/ports";
import { beforeAll, expect, test } from "vitest";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { fireTimer } from "./support/fire-timer.ts";
import type { Answer } from "./support/http-client.ts";
import { encryptionKey } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

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
  expect(await post(verifications, { ...body, reference: "r" }, once)).toMatchObject({ status: 201, text: first.text });
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
    gateway.database.kysely.selectFrom("kyc_verifications").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
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
