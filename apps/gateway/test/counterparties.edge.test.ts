import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { expect, test } from "vitest";
import { atOnce, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { useGateway } from "./support/use-gateway.ts";

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
