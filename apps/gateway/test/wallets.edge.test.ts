import type { Schemas } from "@gateway/contract";
import { useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { answered, atOnce, codeOf, countCodes, invalid } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { useGateway } from "./support/use-gateway.ts";

type Wallet = Schemas["Wallet"];

const gateway = useGateway();
const client = useEach(() => createApiClient(gateway));
const create = (currency: string): Promise<string> => client.create("/wallets", { name: "W", currency });
const move = (id: string, verb: string) => client.call("POST", `/wallets/${id}/${verb}`);

test("a wallet reads back as it was created, unicode and all", async () => {
  const wallet = { name: "Reise-Kasse 🧳 ночь", currency: "JPY", metadata: { team: "旅", empty: "" } };
  const created = await client.ask<Wallet>("POST", "/wallets", wallet);
  expect(created).toMatchObject({ ...wallet, status: "active", balance: { available: 0, pending: 0, held: 0 } });
  expect(await client.get(`/wallets/${created.id}`)).toEqual(created);
});

describe("funding one in the sandbox", () => {
  const greatest = 9_007_199_254_740_991;
  const fund = (id: string, amount: unknown) => client.call("POST", `/sandbox/wallets/${id}/fund`, { amount });

  test("it has as much more, booked against equity as an opening, and an event tells of it", async () => {
    const id = await create("JPY");
    await fund(id, 1_000);
    expect(await fund(id, 234)).toMatchObject(answered(200, { id, balance: { available: 1_234 } }));
    const [booked] = await client.get<Schemas["LedgerTransaction"][]>("/ledger-transactions?limit=1");
    expect(booked).toMatchObject({ kind: "opening", entries: [{ amount: 234 }, { amount: 234 }] });
    const placed = (booked?.entries ?? []).map(async ({ ledgerAccountId, direction }) => {
      const { purpose } = await client.get<{ purpose: string }>(`/ledger-accounts/${ledgerAccountId}`);
      return `${direction} ${purpose}`;
    });
    expect((await Promise.all(placed)).toSorted()).toEqual(["credit available", "debit equity"]);
    const object = { walletId: id, version: 2, cause: null, ledgerTransactionId: booked?.id };
    const told = { type: "wallet.balance_changed", data: { object } };
    expect(await client.get("/events?limit=1")).toMatchObject([told]);
  });

  test("of 20 at once those succeed that it has room for", async () => {
    const id = await create("JPY");
    const answers = await atOnce(20, () => fund(id, (greatest - 1) / 10));
    expect(countCodes(answers)).toEqual({ 200: 10, BALANCE_LIMIT_REACHED: 10 });
    expect(await client.get(`/wallets/${id}`)).toMatchObject({ balance: { available: greatest - 1 } });
    expect([codeOf(await fund(id, 1)), codeOf(await fund(id, 1))]).toEqual([undefined, "BALANCE_LIMIT_REACHED"]);
  });
});

describe("an external id", () => {
  const taken = { name: "W", currency: "EUR", externalId: "box-4711" };
  const list = (query: string): Promise<Wallet[]> => client.get(`/wallets?${query}`);

  test("of 20 wallets that are to get it at once, one gets it", async () => {
    const ids = await atOnce(20, () => create("EUR"));
    const { externalId } = taken;
    const answers = await atOnce(20, (at) => client.call("PATCH", `/wallets/${ids[at]}`, { externalId }));
    expect(countCodes(answers)).toEqual({ 200: 1, EXTERNAL_ID_USED: 19 });
    expect(await list(`externalId=${externalId}`)).toHaveLength(1);
  });
});

test("lists by currency, by status and by both have what fits", async () => {
  for (const currency of ["EUR", "JPY", "EUR"]) {
    await create(currency);
    await move(await create(currency), "freeze");
  }
  const both = ["currency=EUR&status=frozen", "currency=JPY&status=active"];
  await client.expectFilters("/wallets", ["currency=EUR", "status=frozen", "currency=USD", ...both]);
});

describe("a wallet of an account", () => {
  let id: string;
  const call = (method: string, path = "", body?: object) => client.call(method, `/wallets/${id}${path}`, body);
  const change = (body: object): Promise<Wallet> => client.ask("PATCH", `/wallets/${id}`, body);
  const read = (): Promise<Wallet> => client.get(`/wallets/${id}`);
  const audited = (query = "") => client.get<Schemas["AuditEvent"][]>(`/audit-events?resourceId=${id}${query}`);

  beforeEach(async () => {
    id = await client.create("/wallets", { name: "Payroll", currency: "EUR", metadata: { a: "1", b: "2" } });
  });

  test("changes what is sent, keeps what is not, and metadata is replaced whole", async () => {
    const renamed = { name: "Payroll 2027", metadata: { a: "1", b: "2" } };
    expect(await change({ name: renamed.name })).toMatchObject(renamed);
    const changed = await change({ metadata: { c: "3" } });
    expect(changed).toMatchObject({ name: renamed.name });
    expect(changed.metadata).toEqual({ c: "3" });
    expect(await read()).toEqual(changed);
  });

  test("leaves in the audit log what was changed, of metadata only that it was, and of what stayed the same nothing", async () => {
    await change({ name: "Payroll", metadata: { b: "2", a: "1" } });
    await change({ metadata: { private: "words" } });
    await change({ name: "Payroll 2027" });
    await call("POST", "/freeze");
    await call("POST", "/freeze");
    expect((await audited()).map(({ type, changes }) => [type, changes])).toEqual([
      ["wallet.frozen", [{ field: "status", before: "active", after: "frozen" }]],
      ["wallet.updated", [{ field: "name", before: "Payroll", after: "Payroll 2027" }]],
      ["wallet.updated", []],
      ["wallet.created", expect.anything()],
    ]);
  });

  test("is given an external id once: what it has stays, and nothing is changed with a refusal", async () => {
    for (const _ of [1, 2]) {
      expect(await change({ externalId: "box-1" })).toMatchObject({ externalId: "box-1" });
    }
    expect(await call("PATCH", "", { externalId: "box-2", name: "Other" })).toMatchObject(invalid("externalId"));
    expect(await read()).toMatchObject({ externalId: "box-1", name: "Payroll" });
    const changes = [{ field: "externalId", before: null, after: "box-1" }];
    expect(await audited("&limit=1")).toMatchObject([{ type: "wallet.updated", changes }]);
  });

  test("is renamed in every state, for a name moves nothing", async () => {
    for (const name of ["freeze", "close"]) {
      expect((await move(id, name)).status).toBe(200);
      expect(await change({ name })).toMatchObject({ name });
    }
  });
});
