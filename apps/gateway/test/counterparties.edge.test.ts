import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createCipher } from "@gateway/kernel";
import type { Account } from "@gateway/platform/accounts";
import { randomBytes } from "node:crypto";
import { atOnce, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { useGateway } from "./support/use-gateway.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import type { Answer } from "./support/http-client.ts";
import { encryptionKey, startTestGateway } from "./support/test-gateway.ts";

type Counterparty = Schemas["Counterparty"];

const euros = { name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" };
const gateway = useGateway();
const client = useEach(() => createApiClient(gateway, "write"));
const create = (body: object = euros) => client.call("POST", "/counterparties", body);
const list = (query = ""): Promise<Counterparty[]> => client.get(`/counterparties${query}`);
const remove = (id: string) => client.call("DELETE", `/counterparties/${id}`);

test.each([
  [{ ...euros, name: "Ада & Söhne 旅", metadata: { team: "旅" }, externalId: "a/b ?&" }, "3000"],
  [{ name: "A", currency: "EUR", accountNumber: "LI21088100002324013AA" }, "13AA"],
  [{ name: "A", currency: "GBP", accountNumber: "200000-55779911" }, "9911"],
  [{ name: "A", currency: "USD", accountNumber: "021000021-12345" }, "2345"],
  [{ name: "A", currency: "JPY", accountNumber: "0001-001-1234567" }, "4567"],
])("one reads back as it was created, but for its account number: %j", async (body, accountNumberLast4) => {
  const { accountNumber: _, ...shown } = body;
  const counterparty = dataOf<Counterparty>(await create(body), 201);
  expect(counterparty).toMatchObject({ ...shown, accountNumberLast4, archivedAt: null });
  expect(Object.keys(counterparty)).not.toContain("accountNumber");
  expect(await client.get(`/counterparties/${counterparty.id}`)).toEqual(counterparty);
  expect(await list()).toEqual([counterparty]);
});

/** account-number.test.ts of the platform has all invalid account numbers. */
test.each([
  [{ ...euros, accountNumber: "DE89370400440532013001" }, "accountNumber", /^must have the check digits of its IBAN/],
  [{ ...euros, currency: "GBP" }, "accountNumber", /^must be a sort code and an account number when the/],
  [{ ...euros, currency: "BTC" }, "currency", /^must be one of USD, EUR, GBP, JPY/],
  [{ ...euros, name: "Grace\u202Ereppoh" }, "name", /^must not hold characters that cannot be seen/],
])("%j is refused by its field, and nothing is written", async (body, field, issue) => {
  expect(await create(body)).toMatchObject(invalid([field, expect.stringMatching(issue)]));
  expect(await list()).toEqual([]);
});

test("archived stays archived since the first time, however often it is asked for", async () => {
  const { id } = dataOf<Counterparty>(await create(), 201);
  const answers = await atOnce(20, () => remove(id));
  const times = answers.map((answer) => dataOf<Counterparty>(answer).archivedAt);
  expect(new Set(times).size).toBe(1);
  expect(await list()).toMatchObject([{ id, archivedAt: times[0] }]);
});

test("an external id finds its counterparty and no other, and stays taken when that is archived", async () => {
  await create();
  const taken = { ...euros, externalId: "supplier-4711" };
  const { id } = dataOf<Counterparty>(await create(taken), 201);
  expect(await list("?externalId=supplier-4711")).toMatchObject([{ id }]);
  expect(await list("?externalId=supplier-471")).toEqual([]);
  const page = await client.call("GET", "/counterparties?limit=1");
  const { nextCursor } = (page.json as { meta: { nextCursor: string } }).meta;
  const other = await client.call("GET", `/counterparties?externalId=supplier-4711&cursor=${nextCursor}`);
  expect(other).toMatchObject(invalid("cursor"));
  await remove(id);
  expect(await create(taken)).toMatchObject(refused("EXTERNAL_ID_USED"));
});

const counterparties = "/api/v1/counterparties";
const planted = { name: "Grüße Planted-Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" };
const mistyped = "DE89370400440532013001";
/** Parts of the texts without the country and the four characters that are shown. */
const parts = [planted.name, planted.name.slice(7), planted.accountNumber, "3704004405320", mistyped];

describe("the name and the account number of a counterparty", () => {
  let account: Account;
  let key: string;

  const gateway = useGateway();
  beforeAll(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "write")).secret;
  });

  const post = (body: object, headers: Record<string, string> = {}, target = counterparties): Promise<Answer> =>
    gateway.call({ method: "POST", target, key, body, headers });

  test("are found in no row, log or refusal after a whole run", async () => {
    await post({ url: "https://hooks.example.com/in", events: ["wallet.created"] }, {}, "/api/v1/webhooks");
    const once = { "Idempotency-Key": "once" };
    const first = await post({ ...planted, externalId: "e" }, once);
    expect(await post({ ...planted, externalId: "e" }, once)).toMatchObject({ status: 201, text: first.text });
    const { id } = (first.json as { data: { id: string } }).data;
    const refused = [
      await post({ ...planted, metadata: {} }, once),
      await post({ ...planted, externalId: "e" }),
      await post({ ...planted, accountNumber: mistyped }),
      await post({ ...planted, accountNumber: `${planted.accountNumber}.` }),
      await post({ ...planted, currency: "USD" }),
      await post({ ...planted, currency: planted.accountNumber }),
      await post({ ...planted, name: `${planted.name}\u202E` }),
      await post({ ...planted, name: [planted.name] }),
      await post({ ...planted, iban: planted.accountNumber }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, ...Array<number>(7).fill(400)]);
    const answered = [
      await gateway.call({ target: `${counterparties}/${id}`, key }),
      await gateway.call({ target: counterparties, key }),
      await gateway.call({ target: `${counterparties}?externalId=e`, key }),
      await gateway.call({ method: "DELETE", target: `${counterparties}/${id}`, key }),
    ];
    expect(answered.map(({ text }) => text.includes(planted.name))).toEqual([true, true, true, true]);
    const [dump, log] = [await dumpDatabase(gateway.database), gateway.logLines.join("\n")];
    expect([dump, log].map((text) => text.includes(id) || text.includes("createCounterparty"))).toEqual([true, true]);
    expect(parts.filter((part) => holdsText(dump, part))).toEqual([]);
    expect(parts.filter((part) => holdsText(log, part))).toEqual([]);
    expect(parts.filter((part) => refused.some(({ text }) => text.includes(part)))).toEqual([]);
    const shown = [first, ...answered].map(({ text }) => text).join("\n");
    expect(parts.slice(2).filter((part) => shown.includes(part))).toEqual([]);
  });

  test("are sealed for their row and account: in another they do not open", async () => {
    const { id } = ((await post(planted)).json as { data: { id: string } }).data;
    const row = await gateway.database.kysely
      .selectFrom("counterparties")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const cipher = createCipher([encryptionKey]);
    const open = (context: string): string => cipher.open(row.account_number ?? Buffer.alloc(0), context).toString();
    expect(open(`counterparty account number ${account.id} ${id}`)).toBe(planted.accountNumber);
    for (const context of [`counterparty name ${account.id} ${id}`, `counterparty account number acc_other ${id}`]) {
      expect(() => open(context)).toThrow();
    }
  });

  test("are read after the encryption keys were rotated, and so is the stored answer; new ones are sealed with the new key", async () => {
    const rotated = randomBytes(32);
    const { id } = ((await post(planted, { "Idempotency-Key": "rotated" })).json as { data: { id: string } }).data;
    const env = { ENCRYPTION_KEYS: [rotated, encryptionKey].map((one) => one.toString("base64")).join(",") };
    const next = await startTestGateway({ env, databaseUrl: gateway.databaseUrl });
    const again = { method: "POST", target: counterparties, key, body: planted };
    try {
      expect(await next.call({ target: `${counterparties}/${id}`, key })).toMatchObject({
        status: 200,
        json: { data: { name: planted.name } },
      });
      const replayed = await next.call({ ...again, headers: { "Idempotency-Key": "rotated" } });
      expect(replayed).toMatchObject({
        status: 201,
        headers: { "idempotency-replayed": "true" },
        json: { data: { id } },
      });
      const made = ((await next.call(again)).json as { data: { id: string } }).data;
      const row = await gateway.database.kysely
        .selectFrom("counterparties")
        .selectAll()
        .where("id", "=", made.id)
        .executeTakeFirstOrThrow();
      const opened = createCipher([rotated]).open(
        row.account_number ?? Buffer.alloc(0),
        `counterparty account number ${account.id} ${made.id}`,
      );
      expect(opened.toString()).toBe(planted.accountNumber);
    } finally {
      await next.stop();
    }
  });
});
