import type { LedgerDeps } from "./ledger-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem } from "@gateway/contract";
import type { Currency } from "@gateway/kernel";
import { isUniqueViolation, transaction, type Transaction } from "@gateway/database";
import { isDeepStrictEqual } from "node:util";
import { sql, type Kysely } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { AuditEventType } from "../audit/index.ts";
import {
  changeAll,
  externalIdUsed,
  type Own,
  findOwn,
  firstOf,
  prepareFilteredPages,
  isOwn,
} from "@gateway/engine/find-own";
import { begin, move, type Moves } from "@gateway/engine/move";
import { presentWallet, type Wallet } from "./present-wallet.ts";
import { type PageRequest } from "@gateway/engine/page";
import type { LedgerTables, WalletRow, WalletStatus } from "./tables.ts";

export type WalletFilter = {
  currency?: Currency | undefined;
  status?: WalletStatus | undefined;
  externalId?: string | undefined;
};

export type Wallets = ReturnType<typeof createWallets>;

type CreateInput = {
  accountId: string;
  name: string;
  currency: Currency;
  externalId?: string | null | undefined;
  metadata: Record<string, string>;
};

type UpdateInput = Own & {
  name?: string | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, string> | undefined;
};

export function createWallets(db: Kysely<LedgerTables>, deps: LedgerDeps) {
  const moveBy = (name: Moves<"Wallet">) => (own: Own) =>
    deps.inAccount(db, own.accountId, (trx) => moveWallet(trx, deps, { name, own }));
  const select = () => db.selectFrom("wallets").selectAll();
  const list = prepareFilteredPages(db, select, {
    ...{ name: "wallets", cursors: deps.cursors, toItem: walletOf },
    both: sql`(status || ' ' || currency)`,
  });
  return {
    /** A new wallet is empty. Refuses an external id that another one of the account has. Records `wallet.created`. */
    create: (input: CreateInput) => deps.inAccount(db, input.accountId, (trx) => createWallet(trx, deps, input)),
    get: (own: Own) => findOwn(select(), own, walletOf),
    getSome: async ({ ids, accountId }: { ids: readonly string[]; accountId: string }) => {
      const among = select().where("id", "=", sql<string>`any(${ids}::text[])`);
      return (await among.where("account_id", "=", accountId).execute()).map(walletOf);
    },
    /** An undefined field keeps its value. An external id can be given once. */
    update: (input: UpdateInput) => transaction(db, (trx) => updateWallet(trx, deps, input)),
    /** A frozen wallet pays nothing new. */
    freeze: moveBy("freeze"),
    unfreeze: moveBy("unfreeze"),
    /** Refuses a wallet that holds money or waits for some. */
    close: moveBy("close"),
    list: ({ currency, status, ...request }: { accountId: string } & WalletFilter & PageRequest) =>
      list(request, { status, currency }),
    eraseTexts: ({ accountId, name }: { accountId: string; name: string }) =>
      changeAll(db.updateTable("wallets").set({ name, external_id: null, metadata: "{}" }), accountId),
  };
}

const walletTable = { machine: "Wallet", table: "wallets" } as const;

/** The event holds the wallet as the response does. */
async function createWallet(
  trx: AccountTransaction<LedgerTables>,
  deps: LedgerDeps,
  { accountId, name, currency, externalId = null, metadata }: CreateInput,
): Promise<Wallet> {
  const { state: status, event } = begin("Wallet", "create");
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
      external_id: externalId,
      metadata: JSON.stringify(metadata),
      created_at: trx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseUsed);
  const wallet = walletOf(row);
  await deps.recorder.record(trx, [event("wallet.created", presentWallet(wallet))]);
  await deps.recordAudit(trx, {
    accountId,
    type: "wallet.created",
    resourceId: wallet.id,
    after: { name, currency, ...(externalId !== null && { externalId }) },
  });
  return wallet;
}

/** The audit log leaves out the values of metadata, but records that they were changed. */
async function updateWallet(
  trx: Transaction<LedgerTables>,
  { recordAudit }: LedgerDeps,
  { name, externalId, metadata, ...own }: UpdateInput,
): Promise<Wallet | null> {
  const before = await lockWallet(trx, own);
  if (!before) {
    return null;
  }
  if (externalId !== undefined && before.externalId !== null && before.externalId !== externalId) {
    throw invalidField("externalId", "cannot be changed: the wallet has another one");
  }
  const row = await trx
    .updateTable("wallets")
    .set({
      name: name ?? sql`name`,
      external_id: externalId ?? sql`external_id`,
      metadata: metadata ? JSON.stringify(metadata) : sql`metadata`,
    })
    .where(isOwn(own))
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseUsed);
  const after = walletOf(row);
  const hasOtherMetadata = !isDeepStrictEqual(before.metadata, after.metadata);
  const isElseTheSame = before.name === after.name && before.externalId === after.externalId;
  const said = hasOtherMetadata && isElseTheSame ? {} : presentChange(before, after);
  await recordAudit(trx, { accountId: own.accountId, type: "wallet.updated", resourceId: own.id, ...said });
  return after;
}

/** The unique index decides, because two requests may come at once. */
function refuseUsed(error: unknown): never {
  throw isUniqueViolation(error, "wallets_by_external_id") ? externalIdUsed("has another wallet", error) : error;
}

const auditTypes = {
  freeze: "wallet.frozen",
  unfreeze: "wallet.unfrozen",
  close: "wallet.closed",
} as const satisfies Record<Moves<"Wallet">, AuditEventType>;

async function moveWallet(
  trx: AccountTransaction<LedgerTables>,
  { recordAudit }: LedgerDeps,
  { name, own }: { name: Moves<"Wallet">; own: Own },
): Promise<Wallet | null> {
  const before = await lockWallet(trx, own);
  if (before && name === "close") {
    refuseFilled(before);
  }
  const moved = before && (await move(trx, walletTable, name, own));
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

/** Holds the lock that postings take, so that an empty wallet stays empty until the end of the transaction. */
async function lockWallet(trx: Transaction<LedgerTables>, own: Own): Promise<Wallet | null> {
  return firstOf(trx.selectFrom("wallets").selectAll().where(isOwn(own)).forNoKeyUpdate(), walletOf);
}

function refuseFilled({ id, availableMinor, pendingMinor, heldMinor }: Wallet): void {
  if (availableMinor + pendingMinor + heldMinor > 0) {
    throw new Problem(
      "WALLET_NOT_EMPTY",
      `The wallet ${id} is not empty: take out the available money, and wait for the pending and held money.`,
    );
  }
}

function walletOf({ available, pending, held, ...row }: WalletRow): Wallet {
  return { ...nounOf(row), availableMinor: available, pendingMinor: pending, heldMinor: held };
}
