import { systemClock } from "@gateway/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkStore, type WorkStore } from "../work/work-store.ts";

const accountId = "acc_00000000000000000000000001";
const other = "acc_00000000000000000000000002";

let store: WorkStore;

beforeAll(async () => {
  store = await createWorkStore({ livemode: false });
});
afterAll(() => store.database.close());

const books = { name: "A", currency: "EUR", mayBeNegative: false, externalId: null, metadata: {} } as const;
const begunWithout = /did not begin with the clock of acc_/;

test("all that a transaction of an account writes is of one time", async () => {
  await store.platform.inAccount(
    accountId,
    ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds: 3_600 }),
    { isAlone: true },
  );
  const made = await store.platform.inAccount(accountId, async ({ ledger }) => {
    const first = await ledger.accounts.create({ accountId, ...books });
    await store.clock.advance(60_000);
    return [first, await ledger.accounts.create({ accountId, ...books })];
  });
  const at = new Date(store.clock.now() - 60_000 + 3_600_000);
  expect(made.map(({ createdAt }) => createdAt)).toEqual([at, at]);
});

test("in a transaction of no account, or of another, nothing dated is written", async () => {
  const { platform } = store;
  const none = platform.transaction(({ ledger }) => ledger.accounts.create({ accountId, ...books }));
  await expect(none).rejects.toThrow(begunWithout);
  const strange = platform.inAccount(other, ({ ledger }) => ledger.accounts.create({ accountId, ...books }));
  await expect(strange).rejects.toThrow(begunWithout);
  const armed = platform.transaction(({ work }) =>
    work.queue.arm({ accountId, kind: "tick", subjectId: "s", firesAt: new Date(systemClock.now()) }),
  );
  await expect(armed).rejects.toThrow(begunWithout);
});

test("money moves and clocks are moved in a transaction of the account alone, which is open", async () => {
  const { platform } = store;
  const posting = { accountId, kind: "opening", cause: null, isUnderWay: false, entries: [] } as const;
  await expect(platform.ledger.post(posting)).rejects.toThrow("outside a transaction");
  const advance = ({ gateway }: Pick<typeof platform, "gateway">) =>
    gateway.sandboxClocks.advance({ accountId, seconds: 1 });
  await expect(advance(platform)).rejects.toThrow("outside a transaction");
  await expect(platform.inAccount(accountId, advance)).rejects.toThrow("while others hold it");
});
