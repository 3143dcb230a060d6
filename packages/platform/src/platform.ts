import { transaction, type Database, type Schema } from "@gateway/database";
import type { Kysely } from "kysely";
import type { Cipher, Clock, CursorCodec } from "@gateway/kernel";
import { createAccounts, type Accounts } from "./accounts/account.ts";
import { createApiKeys, type ApiKeys } from "./accounts/api-key.ts";
import { createIdempotencyRecords, type IdempotencyRecords } from "./accounts/idempotency.ts";
import { createWallets, type Wallets } from "./ledger/wallet.ts";

export type PlatformDeps = { clock: Clock; cipher: Cipher; cursors: CursorCodec; livemode: boolean };

/** The business, noun by noun. */
export type Services = {
  accounts: Accounts;
  apiKeys: ApiKeys;
  idempotency: IdempotencyRecords;
  wallets: Wallets;
};

export interface Platform extends Services {
  /** Runs `work` with services that all write in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (services: Services) => Promise<Result>): Promise<Result>;
}

export function createPlatform(database: Database, deps: PlatformDeps): Platform {
  return {
    ...createServices(database.kysely, deps),
    transaction: (work) => transaction(database.kysely, (executor) => work(createServices(executor, deps))),
  };
}

function createServices(db: Kysely<Schema>, deps: PlatformDeps): Services {
  return {
    accounts: createAccounts(db, deps),
    apiKeys: createApiKeys(db, deps),
    idempotency: createIdempotencyRecords(db, deps),
    wallets: createWallets(db, deps),
  };
}
