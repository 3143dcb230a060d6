import type { Clock, Currency, CursorCodec } from "@gateway/kernel";
import { transaction } from "@gateway/database";
import type { Kysely, Selectable, Transaction } from "kysely";
import type { RecordAudit } from "../audit/index.ts";
import type { RecordEvent } from "../events/index.ts";
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

export interface Wallets {
  /** A new wallet is empty. Records `wallet.created`. */
  create(input: {
    accountId: string;
    name: string;
    currency: Currency;
    metadata: Record<string, string>;
  }): Promise<Wallet>;
  get(input: { id: string; accountId: string }): Promise<Wallet | null>;
  list(input: { accountId: string } & PageRequest): Promise<Page<Wallet>>;
  /** What people wrote in the account's wallets. What is counted in them stays. */
  eraseTexts(input: { accountId: string; name: string }): Promise<void>;
}

export type WalletDeps = {
  clock: Clock;
  createId: CreateId;
  cursors: CursorCodec;
  recordAudit: RecordAudit;
  recordEvent: RecordEvent;
};

export function createWallets(db: Kysely<LedgerTables>, deps: WalletDeps): Wallets {
  return {
    create: (input) => transaction(db, (trx) => createWallet(trx, deps, input)),
    get: async ({ id, accountId }) => {
      const row = await db
        .selectFrom("wallets")
        .selectAll()
        .where("id", "=", id)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row ? walletOf(row) : null;
    },
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

/** The event holds the wallet as the answer does. */
async function createWallet(
  trx: Transaction<LedgerTables>,
  deps: WalletDeps,
  { accountId, name, currency, metadata }: Parameters<Wallets["create"]>[0],
): Promise<Wallet> {
  const row = await trx
    .insertInto("wallets")
    .values({
      id: deps.createId("wal"),
      account_id: accountId,
      name,
      currency,
      available: 0,
      pending: 0,
      metadata: JSON.stringify(metadata),
      created_at: new Date(deps.clock.now()),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const wallet = walletOf(row);
  await deps.recordEvent(trx, { accountId, type: "wallet.created", object: presentWallet(wallet) });
  await deps.recordAudit(trx, { accountId, type: "wallet.created", resourceId: wallet.id, after: { name, currency } });
  return wallet;
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
