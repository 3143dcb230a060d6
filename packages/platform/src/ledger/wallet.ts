import { Problem } from "@gateway/contract";
import type { Currency, CursorCodec } from "@gateway/kernel";
import { transaction } from "@gateway/database";
import { isDeepStrictEqual } from "node:util";
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { AccountTime } from "../account-time.ts";
import type { AuditEventType, RecordAudit } from "../audit/index.ts";
import type { RecordEvent } from "../events/index.ts";
import { begin, move, type Moves, type Stateful } from "../move.ts";
import { presentWallet } from "./present-wallet.ts";
import { prepareAccountPages, type Page, type PageRequest } from "../page.ts";
import type { LedgerTables, WalletStatus } from "./tables.ts";
import type { CreateId } from "../id.ts";

/** Minor units of the currency. */
export type WalletBalance = { availableMinor: number; pendingMinor: number; heldMinor: number };

export type Wallet = WalletBalance & {
  id: string;
  name: string;
  currency: Currency;
  status: WalletStatus;
  metadata: Record<string, string>;
  createdAt: Date;
};

type Own = { id: string; accountId: string };

export interface Wallets {
  /** A new wallet is empty. Records `wallet.created`. */
  create(input: {
    accountId: string;
    name: string;
    currency: Currency;
    metadata: Record<string, string>;
  }): Promise<Wallet>;
  get(input: Own): Promise<Wallet | null>;
  /** What is undefined stays as it is. */
  update(
    input: Own & { name?: string | undefined; metadata?: Record<string, string> | undefined },
  ): Promise<Wallet | null>;
  /** From then on nothing new goes out. */
  freeze(input: Own): Promise<Wallet | null>;
  unfreeze(input: Own): Promise<Wallet | null>;
  /** Refuses a wallet that holds something or waits for something. */
  close(input: Own): Promise<Wallet | null>;
  list(input: { accountId: string } & PageRequest): Promise<Page<Wallet>>;
  /** What people wrote in the account's wallets. What is counted in them stays. */
  eraseTexts(input: { accountId: string; name: string }): Promise<void>;
}

export type WalletDeps = {
  accountTime: AccountTime;
  createId: CreateId;
  cursors: CursorCodec;
  recordAudit: RecordAudit;
  recordEvent: RecordEvent;
};

export function createWallets(db: Kysely<LedgerTables>, deps: WalletDeps): Wallets {
  const table: WalletTable = { machine: "Wallet", table: "wallets", recordEvent: deps.recordEvent };
  const moveBy = (name: Moves<"Wallet">) => (own: Own) =>
    transaction(db, (trx) => moveWallet(trx, { ...deps, table }, { name, own }));
  return {
    create: (input) => transaction(db, (trx) => createWallet(trx, { ...deps, table }, input)),
    get: async ({ id, accountId }) => {
      const row = await db
        .selectFrom("wallets")
        .selectAll()
        .where("id", "=", id)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row ? walletOf(row) : null;
    },
    update: (input) => transaction(db, (trx) => updateWallet(trx, deps, input)),
    freeze: moveBy("freeze"),
    unfreeze: moveBy("unfreeze"),
    close: moveBy("close"),
    list: prepareAccountPages(db, () => db.selectFrom("wallets").selectAll(), {
      name: "wallets",
      cursors: deps.cursors,
      toItem: walletOf,
    }),
    eraseTexts: async ({ accountId, name }) => {
      await db.updateTable("wallets").set({ name, metadata: "{}" }).where("account_id", "=", accountId).execute();
    },
  };
}

type WalletTable = Stateful<"Wallet", "wallets">;

/** The event holds the wallet as the answer does. */
async function createWallet(
  trx: Transaction<LedgerTables>,
  deps: WalletDeps & { table: WalletTable },
  { accountId, name, currency, metadata }: Parameters<Wallets["create"]>[0],
): Promise<Wallet> {
  const nowMs = await deps.accountTime(trx, accountId);
  const { state: status, emit } = begin(trx, deps.table, "create", { accountId, happenedAtMs: nowMs });
  const row = await trx
    .insertInto("wallets")
    .values({
      id: deps.createId("wal"),
      account_id: accountId,
      name,
      currency,
      available: 0,
      pending: 0,
      status,
      metadata: JSON.stringify(metadata),
      created_at: new Date(nowMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const wallet = walletOf(row);
  await emit("wallet.created", presentWallet(wallet));
  await deps.recordAudit(trx, { accountId, type: "wallet.created", resourceId: wallet.id, after: { name, currency } });
  return wallet;
}

/** The audit log leaves out what metadata holds, and says all the same that it was changed. */
async function updateWallet(
  trx: Transaction<LedgerTables>,
  { recordAudit }: WalletDeps,
  { name, metadata, ...own }: Parameters<Wallets["update"]>[0],
): Promise<Wallet | null> {
  const before = await lockWallet(trx, own);
  if (!before) {
    return null;
  }
  const row = await trx
    .updateTable("wallets")
    .set({ name: name ?? sql`name`, metadata: metadata ? JSON.stringify(metadata) : sql`metadata` })
    .where("id", "=", own.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = walletOf(row);
  const hasOtherMetadata = !isDeepStrictEqual(before.metadata, after.metadata);
  const said = hasOtherMetadata && before.name === after.name ? {} : presentChange(before, after);
  await recordAudit(trx, { accountId: own.accountId, type: "wallet.updated", resourceId: own.id, ...said });
  return after;
}

const auditTypes = {
  freeze: "wallet.frozen",
  unfreeze: "wallet.unfrozen",
  close: "wallet.closed",
} as const satisfies Record<Moves<"Wallet">, AuditEventType>;

async function moveWallet(
  trx: Transaction<LedgerTables>,
  { table, recordAudit }: WalletDeps & { table: WalletTable },
  { name, own }: { name: Moves<"Wallet">; own: Own },
): Promise<Wallet | null> {
  const before = await lockWallet(trx, own);
  if (before && name === "close") {
    refuseFilled(before);
  }
  const moved = before && (await move(trx, table, name, own));
  if (!moved) {
    return null;
  }
  const after = walletOf(moved.row);
  const change = presentChange(before, after);
  await recordAudit(trx, { accountId: own.accountId, type: auditTypes[name], resourceId: own.id, ...change });
  return after;
}

function presentChange(before: Wallet, after: Wallet) {
  return { before: presentWallet(before), after: presentWallet(after) };
}

/** By the lock that postings take: what is empty stays so until the end of the transaction. */
async function lockWallet(trx: Transaction<LedgerTables>, { id, accountId }: Own): Promise<Wallet | null> {
  const row = await trx
    .selectFrom("wallets")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? walletOf(row) : null;
}

function refuseFilled({ id, availableMinor, pendingMinor, heldMinor }: Wallet): void {
  if (availableMinor + pendingMinor + heldMinor > 0) {
    throw new Problem(
      "WALLET_NOT_EMPTY",
      `The wallet ${id} is not empty: take out what is available, and wait for what is pending or held.`,
    );
  }
}

function walletOf(row: Selectable<LedgerTables["wallets"]>): Wallet {
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    status: row.status,
    availableMinor: row.available,
    pendingMinor: row.pending,
    heldMinor: row.held,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
