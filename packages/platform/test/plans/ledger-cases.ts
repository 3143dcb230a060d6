import type { Platform } from "../../src/compose/platform.ts";
import { cursorAt, limit, undone, type Case } from "./cases.ts";
import {
  bookedAt,
  firstRows,
  idAt,
  ledgerAccountAt,
  owners,
  unsealedRows,
  type LedgerAccountName,
} from "./row-values.ts";
import { auditPartitions } from "./statistics.ts";

const { huge, small, none } = owners;

/** Row n is ledger transaction n with one entry, sealed alone. */
export function ledgerCases(rows: number): Case[] {
  return [...accountCases(rows), ...transactionCases(rows), ...entryCases(rows), ...sealCases(rows)];
}

const accountCases = (rows: number): Case[] => {
  const get = (name: LedgerAccountName, at?: Date) => (platform: Platform) =>
    platform.ledger.accounts.get({ id: ledgerAccountAt(name, rows), accountId: huge.accountId, at });
  return [
    {
      name: "ledger accounts: the newest, with a clearing account",
      answers: limit,
      looksAt: limit + unsealedRows,
      ask: pageOfAccounts(huge.accountId),
    },
    { name: "ledger accounts: half way", answers: limit, ask: pageOfAccounts(huge.accountId, rows / 2) },
    { name: "ledger accounts: the oldest", answers: 5, ask: pageOfAccounts(huge.accountId, firstRows + 6) },
    { name: "ledger accounts: of an account with few", answers: 5, ask: pageOfAccounts(small.accountId) },
    { name: "ledger accounts: of an account with none", answers: 0, ask: pageOfAccounts(none.accountId) },
    { name: "ledger accounts: a clearing account", answers: 1, looksAt: 1 + unsealedRows, ask: get("clearing") },
    { name: "ledger accounts: a part of a wallet", answers: 1, ask: get("quiet") },
    {
      name: "ledger accounts: another's",
      answers: 0,
      ask: ({ ledger }) => ledger.accounts.get({ id: ledgerAccountAt("clearing", rows), accountId: small.accountId }),
    },
    // What was booked in the minute after is looked at, too: it is one a second.
    ...[10, rows / 2, rows - 200].map((position): Case => ({
      name: `ledger accounts: the balance after the transaction ${position}`,
      answers: 1,
      looksAt: 70,
      ask: get("clearing", bookedAt(position, rows)),
    })),
    {
      name: "ledger accounts: the balance before all",
      answers: 1,
      looksAt: 70,
      ask: get("clearing", bookedAt(-1_000, rows)),
    },
    {
      name: "how many ledger accounts of its own an account has",
      answers: null,
      looksAt: rows / 500,
      ask: undone(({ ledger }) =>
        ledger.accounts.create({
          accountId: huge.accountId,
          name: "L",
          currency: "EUR",
          mayBeNegative: false,
          externalId: "new",
          metadata: {},
        }),
      ),
    },
  ];
};

function pageOfAccounts(accountId: string, position?: number): Case["ask"] {
  return ({ ledger }) =>
    ledger.accounts.list({ accountId, limit, ...cursorAt(`ledger-accounts ${accountId}`, "lac", position) });
}

type TransactionFilter = Omit<Parameters<Platform["ledger"]["transactions"]["list"]>[0], "accountId" | "limit">;

const transactionCases = (rows: number): Case[] => {
  const page =
    (accountId: string, filter: TransactionFilter = {}, position?: number): Case["ask"] =>
    ({ ledger }) => {
      const list = `ledger-transactions ${accountId} ${filter.kind ?? ""} ${filter.cause ?? ""}`;
      return ledger.transactions.list({ accountId, limit, ...filter, ...cursorAt(list, "ltx", position) });
    };
  const all = (name: string, answers: number, ask: Case["ask"]): Case => ({
    name: `ledger transactions ${name}`,
    answers,
    ask,
  });
  const cause = idAt("pay", rows / 8);
  return [
    all("of all: the newest", limit, page(huge.accountId)),
    all("of all: half way", limit, page(huge.accountId, {}, rows / 2)),
    all("of all: the oldest", 5, page(huge.accountId, {}, firstRows + 6)),
    all("of an account with few", 5, page(small.accountId)),
    all("of an account with none", 0, page(none.accountId)),
    all("of a frequent kind", limit, page(huge.accountId, { kind: "payment" })),
    all("of a frequent kind: half way", limit, page(huge.accountId, { kind: "payment" }, rows / 2)),
    all("of a frequent kind: of an account with few", 5, page(small.accountId, { kind: "payment" })),
    all("of a rare kind", 3, page(huge.accountId, { kind: "return" })),
    all("of a rare kind: half way", 3, page(huge.accountId, { kind: "return" }, rows / 2)),
    all("of a kind that never was", 0, page(huge.accountId, { kind: "fill" })),
    all("of a kind that another account has", 0, page(small.accountId, { kind: "return" })),
    all("of a cause", 4, page(huge.accountId, { cause })),
    all("of a cause and a kind", 4, page(huge.accountId, { cause, kind: "payment" })),
    all("of a cause and another kind", 0, page(huge.accountId, { cause, kind: "return" })),
    all("of another's cause", 0, page(small.accountId, { cause })),
    all("of a cause that never was", 0, page(huge.accountId, { cause: idAt("pay", rows) })),
    all("of an external id", 1, page(huge.accountId, { externalId: String(rows) })),
    all("of an external id and another kind", 0, page(huge.accountId, { externalId: String(rows), kind: "fill" })),
    all("of another's external id", 0, page(small.accountId, { externalId: String(rows) })),
    all("of nobody's external id", 0, page(huge.accountId, { externalId: String(rows + 1) })),
    all("one", 1, ({ ledger }) => ledger.transactions.get({ id: idAt("ltx", rows / 2), accountId: huge.accountId })),
    all("another's", 0, ({ ledger }) =>
      ledger.transactions.get({ id: idAt("ltx", rows / 2), accountId: small.accountId }),
    ),
    {
      name: "a posting by hand, taken back",
      answers: null,
      looksAt: 4,
      ask: undone(async ({ ledger }) => {
        const entry = { ledgerAccountId: ledgerAccountAt("own", rows), amountMinor: 1 };
        const { id } = await ledger.transactions.create({
          accountId: huge.accountId,
          entries: [
            { ...entry, direction: "debit" },
            { ...entry, ledgerAccountId: ledgerAccountAt("otherOwn", rows), direction: "credit" },
          ],
          description: null,
          externalId: "new",
          metadata: {},
        });
        await ledger.transactions.reverse({ id, accountId: huge.accountId });
      }),
    },
  ];
};

type EntryFilter = Omit<Parameters<Platform["ledger"]["entries"]["list"]>[0], "accountId" | "limit">;

const entryCases = (rows: number): Case[] => {
  const page =
    (accountId: string, filter: EntryFilter = {}, position?: number): Case["ask"] =>
    ({ ledger }) => {
      const list = `ledger-entries ${accountId} ${filter.ledgerAccountId ?? filter.walletId ?? ""}`;
      return ledger.entries.list({ accountId, limit, ...filter, ...cursorAt(list, "ltx", position) });
    };
  const all = (name: string, answers: number, ask: Case["ask"]): Case => ({
    name: `ledger entries ${name}`,
    answers,
    ask,
  });
  const since = (time: Date, accountId = huge.accountId) =>
    page(accountId, { ...of("clearing"), createdAfter: time.toISOString() });
  const before = (time: Date) => page(huge.accountId, { ...of("clearing"), createdBefore: time.toISOString() });
  const of = (name: LedgerAccountName) => ({ ledgerAccountId: ledgerAccountAt(name, rows) });
  return [
    all("of all: the newest", limit, page(huge.accountId)),
    all("of all: half way", limit, page(huge.accountId, {}, rows / 2)),
    all("of all: the oldest", 5, page(huge.accountId, {}, firstRows + 6)),
    all("of an account with few", 5, page(small.accountId)),
    all("of an account with none", 0, page(none.accountId)),
    all("of a busy ledger account", limit, page(huge.accountId, of("clearing"))),
    all("of a busy ledger account: half way", limit, page(huge.accountId, of("clearing"), rows / 2)),
    all("of a ledger account with few, the oldest", 5, page(huge.accountId, of("quiet"))),
    all("of a ledger account with none", 0, page(huge.accountId, of("own"))),
    all("of another's ledger account", 0, page(small.accountId, of("clearing"))),
    all("of a wallet", 3, page(huge.accountId, { walletId: idAt("wal", rows) })),
    all("of a busy ledger account since half", limit, since(bookedAt(rows / 2, rows))),
    all("of a busy ledger account before half", limit, before(bookedAt(rows / 2, rows))),
    all("of a busy ledger account before all", 0, before(bookedAt(1, rows))),
    all("of another's ledger account since all", 0, since(bookedAt(1, rows), small.accountId)),
    all(
      "of a wallet since its second",
      2,
      page(huge.accountId, { walletId: idAt("wal", rows), createdAfter: bookedAt(firstRows + 7, rows).toISOString() }),
    ),
    all("of a wallet with none", 0, page(huge.accountId, { walletId: idAt("wal", rows - 1) })),
    all("of another's wallet", 0, page(small.accountId, { walletId: idAt("wal", rows) })),
  ];
};

const sealCases = (rows: number): Case[] => {
  const page =
    (accountId: string, position?: number): Case["ask"] =>
    ({ ledger }) =>
      ledger.checkpoints.list({ accountId, limit, ...cursorAt(`ledger-checkpoints ${accountId}`, "chk", position) });
  return [
    { name: "ledger checkpoints: the newest", answers: limit, ask: page(huge.accountId) },
    { name: "ledger checkpoints: half way", answers: limit, ask: page(huge.accountId, rows / 2) },
    { name: "ledger checkpoints: the oldest", answers: 5, ask: page(huge.accountId, firstRows + 6) },
    { name: "ledger checkpoints: of an account with few", answers: 5, ask: page(small.accountId) },
    { name: "ledger checkpoints: of an account with none", answers: 0, ask: page(none.accountId) },
    {
      name: "the sealing of what is not sealed",
      answers: null,
      looksAt: 3 * unsealedRows,
      ask: undone(({ ledger }) => ledger.seals.sealAll()),
    },
    {
      name: "the sealing of an account that has nothing to seal",
      answers: null,
      looksAt: 0,
      ask: undone(({ ledger }) => ledger.seals.seal(small.accountId)),
    },
  ];
};

type AuditFilter = Omit<Parameters<Platform["audit"]["list"]>[0], "accountId" | "limit">;

/** Row n is about wallet n, by the key n / 4, and three of the huge account, the oldest, are of a rare type by a rare key. */
export function auditCases(rows: number): Case[] {
  const page =
    (accountId: string, filter: AuditFilter = {}, position?: number): Case["ask"] =>
    ({ audit }) => {
      const list = `audit-events ${accountId} ${JSON.stringify(columnsOf(filter))}`;
      return audit.list({ accountId, limit, ...filter, ...cursorAt(list, "aud", position) });
    };
  const all = (name: string, answers: number, ask: Case["ask"]): Case => ({
    name: `audit events ${name}`,
    answers,
    // Each of its partitions.
    looksAt: answers + auditPartitions,
    ask,
  });
  return [
    all("of all: the newest", limit, page(huge.accountId)),
    all("of all: half way", limit, page(huge.accountId, {}, rows / 2)),
    all("of all: the oldest", 5, page(huge.accountId, {}, firstRows + 6)),
    all("of an account with few", 5, page(small.accountId)),
    all("of an account with none", 0, page(none.accountId)),
    all("of a frequent type", limit, page(huge.accountId, { type: "wallet.created" })),
    all("of a frequent type: half way", limit, page(huge.accountId, { type: "wallet.created" }, rows / 2)),
    all("of a rare type", 3, page(huge.accountId, { type: "account.updated" })),
    all("of a type that never was", 0, page(huge.accountId, { type: "account.closed" })),
    all("of a type that another account has", 0, page(small.accountId, { type: "account.updated" })),
    all("of an actor", limit, page(huge.accountId, { actorId: idAt("key", 1) })),
    all("of an actor: half way", limit, page(huge.accountId, { actorId: idAt("key", 1) }, rows / 2)),
    all("of an actor with few", 3, page(huge.accountId, { actorId: idAt("key", 2) })),
    all("of an actor with none", 0, page(huge.accountId, { actorId: idAt("key", 3) })),
    all("of a resource", 1, page(huge.accountId, { resourceId: idAt("wal", rows) })),
    all("of another's resource", 0, page(small.accountId, { resourceId: idAt("wal", rows) })),
    all("one", 1, ({ audit }) => audit.get({ id: idAt("aud", rows), accountId: huge.accountId })),
    all("another's", 0, ({ audit }) => audit.get({ id: idAt("aud", rows), accountId: small.accountId })),
  ];
}

function columnsOf({ type, actorId, resourceId }: AuditFilter): object {
  return {
    ...(type !== undefined && { type }),
    ...(actorId !== undefined && { actor_id: actorId }),
    ...(resourceId !== undefined && { resource_id: resourceId }),
  };
}
