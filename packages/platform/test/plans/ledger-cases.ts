import type { Platform } from "../../src/compose/platform.ts";
import { change, cursorAt, limit, read, type Case } from "./cases.ts";
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

/** Row n is ledger transaction n, with one entry and a seal of its own. */
export function ledgerCases(rows: number): Case[] {
  return [...accountCases(rows), ...transactionCases(rows), ...entryCases(rows), ...sealCases(rows)];
}

const accountCases = (rows: number): Case[] => {
  const get = (name: LedgerAccountName, at?: Date) => (platform: Platform) =>
    platform.ledger.accounts.get({ id: ledgerAccountAt(name, rows), accountId: huge.accountId, at });
  return [
    read(
      "ledger accounts: the newest, with a clearing account",
      limit,
      pageOfAccounts(huge.accountId),
      limit + unsealedRows,
    ),
    read("ledger accounts: half way", limit, pageOfAccounts(huge.accountId, rows / 2)),
    read("ledger accounts: the oldest", 5, pageOfAccounts(huge.accountId, firstRows + 6)),
    read("ledger accounts: of an account with few", 5, pageOfAccounts(small.accountId)),
    read("ledger accounts: of an account with none", 0, pageOfAccounts(none.accountId)),
    read("ledger accounts: a clearing account", 1, get("clearing"), 1 + unsealedRows),
    read("ledger accounts: a part of a wallet", 1, get("quiet")),
    read("ledger accounts: another's", 0, ({ ledger }) =>
      ledger.accounts.get({ id: ledgerAccountAt("clearing", rows), accountId: small.accountId }),
    ),
    // Bookings of the minute after are read, too: there is one a second.
    ...[10, rows / 2, rows - 200].map((position): Case =>
      read(
        `ledger accounts: the balance after the transaction ${position}`,
        1,
        get("clearing", bookedAt(position, rows)),
        70,
      ),
    ),
    read("ledger accounts: the balance before all", 1, get("clearing", bookedAt(-1_000, rows)), 70),
    change("how many ledger accounts of its own an account has", rows / 500, ({ ledger }) =>
      ledger.accounts.create({
        accountId: huge.accountId,
        name: "L",
        currency: "EUR",
        mayBeNegative: false,
        externalId: "new",
        metadata: {},
      }),
    ),
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
  const all = (name: string, answers: number, ask: Case["ask"]): Case =>
    read(`ledger transactions ${name}`, answers, ask);
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
    change("a posting by hand, taken back", 4, async ({ ledger }) => {
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
  const all = (name: string, answers: number, ask: Case["ask"]): Case => read(`ledger entries ${name}`, answers, ask);
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
    read("ledger checkpoints: the newest", limit, page(huge.accountId)),
    read("ledger checkpoints: half way", limit, page(huge.accountId, rows / 2)),
    read("ledger checkpoints: the oldest", 5, page(huge.accountId, firstRows + 6)),
    read("ledger checkpoints: of an account with few", 5, page(small.accountId)),
    read("ledger checkpoints: of an account with none", 0, page(none.accountId)),
    change("the sealing of what is not sealed", 3 * unsealedRows, ({ ledger }) => ledger.seals.sealAll()),
    change("the sealing of an account that has nothing to seal", 0, ({ ledger }) => ledger.seals.seal(small.accountId)),
  ];
};

type AuditFilter = Omit<Parameters<Platform["audit"]["list"]>[0], "accountId" | "limit">;

/**
 * Row n is about wallet n, by the key n / 4. The three oldest rows of the huge account have a rare type and a rare key.
 */
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
    // One row in each of its partitions.
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
