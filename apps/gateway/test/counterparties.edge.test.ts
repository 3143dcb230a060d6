import type { Schemas } from "@gateway/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

type Counterparty = Schemas["Counterparty"];
type Page = { data: Counterparty[]; meta: { hasMore: boolean; nextCursor: string | null } };

const counterparties = "/api/v1/counterparties";
const euros = { name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" };

describe("counterparties", () => {
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    key = await createKey();
  });

  const createKey = async (): Promise<string> =>
    (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  const create = (body: object, headers: Record<string, string> = {}, as = key): Promise<Answer> =>
    gateway.call({ method: "POST", target: counterparties, key: as, body, headers });
  const created = async (body: object = euros): Promise<Counterparty> => {
    const answer = await create(body);
    expect(answer.status).toBe(201);
    return (answer.json as { data: Counterparty }).data;
  };
  const list = async (query = ""): Promise<Page> =>
    (await gateway.call({ target: `${counterparties}${query}`, key })).json as Page;
  const remove = (id: string): Promise<Answer> =>
    gateway.call({ method: "DELETE", target: `${counterparties}/${id}`, key });

  test.each([
    [{ ...euros, name: "Ада & Söhne 旅", metadata: { team: "旅" }, externalId: "a/b ?&" }, "3000"],
    [{ name: "A", currency: "EUR", accountNumber: "LI21088100002324013AA" }, "13AA"],
    [{ name: "A", currency: "GBP", accountNumber: "200000-55779911" }, "9911"],
    [{ name: "A", currency: "USD", accountNumber: "021000021-12345" }, "2345"],
    [{ name: "A", currency: "JPY", accountNumber: "0001-001-1234567" }, "4567"],
  ])("one reads back as it was created, but for its account number: %j", async (body, accountNumberLast4) => {
    const { accountNumber: _, ...shown } = body;
    const counterparty = await created(body);
    expect(counterparty).toMatchObject({ ...shown, accountNumberLast4, archivedAt: null });
    expect(Object.keys(counterparty)).not.toContain("accountNumber");
    const read = await gateway.call({ target: `${counterparties}/${counterparty.id}`, key });
    expect(read.json).toMatchObject({ data: counterparty });
    expect((await list()).data).toEqual([counterparty]);
  });

  test.each([
    [{ ...euros, accountNumber: "DE89370400440532013001" }, "accountNumber", /^must have the check digits of its IBAN/],
    [{ ...euros, accountNumber: "200000-55779911" }, "accountNumber", /^must be an IBAN of a SEPA country when the/],
    [{ ...euros, currency: "GBP" }, "accountNumber", /^must be a sort code and an account number when the/],
    [{ ...euros, currency: "USD" }, "accountNumber", /^must be a routing number and an account number when the/],
    [{ ...euros, currency: "JPY" }, "accountNumber", /^must be a bank code, a branch code and an account number/],
    [
      { ...euros, accountNumber: "DE89.3704.0044.0532.0130.00" },
      "accountNumber",
      /^must be an account number: an IBAN/,
    ],
    [{ ...euros, accountNumber: "DE89 3704 0044 0532 0130 01" }, "accountNumber", /^must have the check digits of its/],
    [{ ...euros, currency: "BTC" }, "currency", /^must be one of USD, EUR, GBP, JPY/],
    [{ ...euros, name: "Grace\u202Ereppoh" }, "name", /^must not hold characters that cannot be seen/],
    [{ ...euros, name: "Grace\u200B" }, "name", /^must not hold characters that cannot be seen/],
    [{ ...euros, name: "G".repeat(101) }, "name", /^must have at most 100 characters/],
    [{ ...euros, name: "" }, "name", /^must have at least 1 character$/],
    [{ ...euros, externalId: "" }, "externalId", /^must have at least 1 character$/],
    [{ ...euros, externalId: "e".repeat(101) }, "externalId", /^must have at most 100 characters/],
  ])("%j is refused by its field, and nothing is written", async (body, field, issue) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      json: { error: { code: "INVALID_REQUEST", details: [{ field, issue: expect.stringMatching(issue) }] } },
    });
    expect((await list()).data).toEqual([]);
  });

  test.each(["DE89 3704 0044 0532 0130 00", "de89370400440532013000", " DE89\u00A03704\u00A00044 0532 0130 00 "])(
    "an IBAN is read as it was copied: %j",
    async (accountNumber) => {
      expect(await created({ ...euros, accountNumber })).toMatchObject({ accountNumberLast4: "3000" });
    },
  );

  test("100 characters are taken in its name and its external id", async () => {
    const longest = { ...euros, name: "G".repeat(100), externalId: "e".repeat(100) };
    expect(await created(longest)).toMatchObject({ name: longest.name, externalId: longest.externalId });
  });

  test("pages hold every one once, newest first, those that were archived too", async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await created()).id);
    }
    await remove(made[1] ?? "");
    const first = await list("?limit=3");
    const second = await list(`?limit=3&cursor=${first.meta.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect([first.meta.hasMore, second.meta.hasMore]).toEqual([true, false]);
  });

  test("archived stays archived since the first time, however often it is asked for", async () => {
    const { id } = await created();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const times = answers.map(({ json }) => (json as { data: Counterparty }).data.archivedAt);
    expect(new Set(times).size).toBe(1);
    expect((await list()).data).toEqual([expect.objectContaining({ id, archivedAt: times[0] })]);
  });

  describe("an external id", () => {
    const taken = { ...euros, externalId: "supplier-4711" };
    const refusal = { status: 409, json: { error: { code: "EXTERNAL_ID_USED" } } };

    test("of 20 who send it at once, one succeeds and one is written", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(taken)));
      const codes = answers.map(({ json }) => (json as { error?: { code: string } }).error?.code ?? "created");
      expect(codes.toSorted()).toEqual([...Array<string>(19).fill("EXTERNAL_ID_USED"), "created"]);
      expect((await list()).data).toHaveLength(1);
    });

    test("stays taken when its counterparty is archived", async () => {
      await remove((await created(taken)).id);
      expect(await create(taken)).toMatchObject(refusal);
    });

    test("is the account's own: another account may use it", async () => {
      await created(taken);
      expect(await create(taken, {}, await createKey())).toMatchObject({ status: 201 });
    });

    test("is asked after the idempotency key: a repeated request gets its first answer", async () => {
      const answers = [
        await create(taken, { "Idempotency-Key": "k" }),
        await create(taken, { "Idempotency-Key": "k" }),
      ];
      expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
        Array(2).fill({ status: 201, text: answers[0]?.text }),
      );
      expect(await create(taken, { "Idempotency-Key": "other" })).toMatchObject(refusal);
    });

    test("that was refused does not use up the idempotency key", async () => {
      await created(taken);
      expect(await create(taken, { "Idempotency-Key": "k" })).toMatchObject(refusal);
      expect(await create({ ...taken, externalId: "other" }, { "Idempotency-Key": "k" })).toMatchObject({
        status: 201,
      });
    });

    test("finds its counterparty, and no other", async () => {
      await created();
      const { id } = await created(taken);
      expect(await list("?externalId=supplier-4711")).toMatchObject({ data: [{ id }], meta: { hasMore: false } });
      expect((await list("?externalId=supplier-471")).data).toEqual([]);
      const { meta } = await list("?limit=1");
      const asked = await gateway.call({
        target: `${counterparties}?externalId=supplier-4711&cursor=${meta.nextCursor}`,
        key,
      });
      expect(asked).toMatchObject({ status: 400, json: { error: { details: [{ field: "cursor" }] } } });
    });
  });
});
