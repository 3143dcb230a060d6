import { createTypeId } from "@gateway/kernel";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postedOrThrow } from "../../src/ledger/index.ts";
import type { Payment } from "../../src/orchestra/index.ts";
import { noPorts } from "@gateway/ports";
import { createWorkStore, type WorkStore } from "../work/work-store.ts";
import { amountMinor, expired, railFactCases, refused, returned, settled, tell, type Told } from "./rail-facts.ts";

const accountId = createTypeId("acc");
const silent = { ...noPorts, rail: { submit: () => expect.unreachable(), cancel: async () => {} } };
const funded = 1_000_000;
const feeMinor = 20;

let store: WorkStore;
let counterpartyId: string;

beforeAll(async () => {
  const eventRules = { checkEvent: () => {}, exampleObject: () => ({}), findWebhookUrlProblem: async () => null };
  store = await createWorkStore({ createPorts: () => silent, eventRules });
  await sql`insert into accounts (id, email, email_key, tier, created_at) values (${accountId}, 'a', 'a', 'growth', now())`.execute(
    store.database.kysely,
  );
  await store.platform.events.retention.createPartitions();
  await store.platform.audit.retention.createPartitions();
  const named = { name: "A", currency: "EUR", accountNumber: "DE89370400440532013000" } as const;
  const made = await store.platform.orchestra.counterparties.create({ accountId, ...named });
  counterpartyId = made.id;
});
afterAll(() => store.database.close());

/** Pays out of a wallet of its own, which shows the state of the money. */
async function pay(): Promise<Payment> {
  const { ledger } = store.platform;
  const { id: walletId } = await ledger.wallets.create({ accountId, name: "W", currency: "EUR", metadata: {} });
  const funding = await ledger.transactions.post({
    ...{ accountId, kind: "opening", cause: null, isUnderWay: false },
    entries: [
      { place: { kind: "clearing", currency: "EUR", part: "equity" }, direction: "debit", amountMinor: funded },
      { place: { kind: "wallet", walletId, part: "available" }, direction: "credit", amountMinor: funded },
    ],
  });
  postedOrThrow(funding);
  return store.platform.inAccount(accountId, ({ orchestra }) =>
    orchestra.payments.create({
      ...{ accountId, walletId, amountMinor, externalId: null, metadata: {} },
      destination: { counterpartyId },
    }),
  );
}

/** Reports each fact twice, under an id of its own, like a rail that is not sure of the first time. */
async function tellAll(paymentId: string, facts: readonly Told[]): Promise<void> {
  for (const [index, told] of facts.entries()) {
    const receive = () =>
      store.platform.inAccount(accountId, ({ work }) =>
        work.inbox.receive({
          ...{ port: "rail", factId: `${paymentId} ${index}`, accountId },
          fact: { ...told, paymentId },
        }),
      );
    await receive();
    expect(await receive()).toBe("known");
  }
}

/** Expects the state of the model, in books that also have the fee. */
async function expectAsModel(facts: readonly Told[]): Promise<void> {
  const { id, walletId } = await pay();
  await tellAll(id, facts);
  const books = tell(facts);
  const payment = await store.platform.orchestra.payments.get({ id, accountId });
  const wallet = await store.platform.ledger.wallets.get({ id: walletId, accountId });
  const { rows } = await sql<{ status: string }>`
    select status from inbox_facts where subject_id = ${id} and status in ('parked', 'mismatched')
  `.execute(store.database.kysely);
  const [held, free] = [books.status === "initiated" ? feeMinor : 0, books.status === "failed" ? feeMinor : 0];
  expect({ payment, wallet, open: rows.map(({ status }) => status).toSorted() }).toMatchObject({
    payment: { status: books.status, returnedMinor: books.returnedMinor },
    wallet: {
      availableMinor: funded - amountMinor - feeMinor + books.availableMinor + free,
      heldMinor: books.heldMinor + held,
      pendingMinor: 0,
    },
    open: [...Array<string>(books.mismatches).fill("mismatched"), ...Array<string>(books.waiting).fill("parked")],
  });
}

test.each(railFactCases)("$facts: the books are those of the model", async ({ facts }) => {
  await expectAsModel(facts);
});

test("in every order of what a rail may tell the books are those of the model", async () => {
  const all = [settled, refused, expired, returned(40), returned(60), returned(101), { ...settled, amountMinor: 99 }];
  await fc.assert(fc.asyncProperty(fc.shuffledSubarray(all), expectAsModel), { numRuns: 25 });
});
