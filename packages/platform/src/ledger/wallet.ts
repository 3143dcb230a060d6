import type { Schema } from "@gateway/database";
import { createId, type Clock, type Currency, type CursorCodec } from "@gateway/kernel";
import type { Kysely, Selectable } from "kysely";
import { readPage, type Page, type PageRequest } from "../page.ts";

export type Wallet = {
  id: string;
  name: string;
  currency: Currency;
  /** Minor units of the currency. */
  availableMinor: number;
  pendingMinor: number;
  metadata: Record<string, string>;
  createdAt: Date;
};

export interface Wallets {
  /** A new wallet is empty. */
  create(input: {
    accountId: string;
    name: string;
    currency: Currency;
    metadata: Record<string, string>;
  }): Promise<Wallet>;
  get(input: { id: string; accountId: string }): Promise<Wallet | null>;
  list(input: { accountId: string } & PageRequest): Promise<Page<Wallet>>;
}

export type WalletDeps = { clock: Clock; cursors: CursorCodec };

export function createWallets(db: Kysely<Schema>, deps: WalletDeps): Wallets {
  return {
    create: async ({ accountId, name, currency, metadata }) => {
      const row = await db
        .insertInto("wallets")
        .values({
          id: createId("wal"),
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
      return walletOf(row);
    },
    get: async ({ id, accountId }) => {
      const row = await db
        .selectFrom("wallets")
        .selectAll()
        .where("id", "=", id)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row ? walletOf(row) : null;
    },
    list: ({ accountId, ...page }) =>
      readPage(db.selectFrom("wallets").selectAll().where("account_id", "=", accountId), {
        ...page,
        cursors: deps.cursors,
        list: `wallets ${accountId}`,
        toItem: walletOf,
      }),
  };
}

function walletOf(row: Selectable<Schema["wallets"]>): Wallet {
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    availableMinor: row.available,
    pendingMinor: row.pending,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
