import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf, type NounOf } from "@gateway/engine/noun";
import { invalidField, Problem } from "@gateway/contract";
import { createHash } from "node:crypto";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Ledger, Wallet } from "../ledger/index.ts";
import { externalIdUsed, changeAll, prepareFilteredPages } from "@gateway/engine/find-own";
import { isExactly, type PageRequest } from "@gateway/engine/page";
import type { NetworkCode } from "@gateway/ports";
import { requirePort } from "@gateway/ports/require-port";
import { networkOf, spellAddress, type Network } from "./network.ts";
import type { CustodyTables, DepositAddressesTable } from "./tables.ts";

const maxDepositAddressesOfWallet = 100;

export type DepositAddress = NounOf<Row>;

type OfWallet = { accountId: string; walletId: string };

/** `requestKey` names the request that the address is for, including its repetitions. */
type ObtainedFor = OfWallet & { requestKey: string };

export type DepositAddresses = ReturnType<typeof createDepositAddresses>;

type CreateInput = OfWallet & {
  address: string;
  externalId?: string | undefined;
  metadata?: Record<string, string> | undefined;
};

type ListInput = { accountId: string; walletId?: string | undefined; externalId?: string | undefined } & PageRequest;

export function createDepositAddresses(db: Kysely<CustodyTables>, deps: CustodyDeps) {
  const list = prepareFilteredPages(db, () => db.selectFrom("deposit_addresses").selectAll(), {
    name: "deposit-addresses",
    cursors: deps.cursors,
    toItem: nounOf<Row>,
  });
  return {
    /**
     * Requests an address from the network, outside a transaction. The same request and wallet get the same address.
     */
    obtain: (input: ObtainedFor) => obtain(db, deps, input),
    /** The address obtained for this operation. */
    readObtained: (input: ObtainedFor) =>
      deps.readings.read<string>({ accountId: input.accountId, kind: "address", subject: addressIdOf(input) }),
    create: (input: CreateInput) => deps.inAccount(db, input.accountId, (trx) => createAddress(trx, deps, input)),
    list: ({ walletId, ...request }: ListInput) => list(request, { wallet_id: walletId }),
    eraseTexts: (accountId: string) =>
      changeAll(db.updateTable("deposit_addresses").set({ external_id: null, metadata: "{}" }), accountId),
  };
}

async function obtain(db: Kysely<CustodyTables>, { ledger, ports }: CustodyDeps, input: ObtainedFor) {
  const { accountId, walletId } = input;
  const { code, currency } = await requireNetwork(ledger, { accountId, walletId });
  await requireRoom(db, walletId);
  const chain = requirePort(ports, "chain");
  const addressId = addressIdOf(input);
  const { address } = await chain.createAddress({ accountId, addressId, walletId, network: code, currency });
  return { subject: addressId, value: spellAddress(code, address) };
}

/** Reveals no part of the key, because the port is external. */
function addressIdOf({ accountId, walletId, requestKey }: ObtainedFor): string {
  const digest = createHash("sha256").update(`${accountId} ${walletId} ${requestKey}`).digest("hex");
  return `adr_0${digest.slice(0, 25)}`;
}

async function createAddress(
  trx: AccountTransaction<CustodyTables>,
  { createId, ledger, recordAudit }: CustodyDeps,
  { accountId, walletId, address, externalId, metadata = {} }: CreateInput,
): Promise<DepositAddress> {
  const { code } = await requireNetwork(ledger, { accountId, walletId });
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deposit addresses ${walletId}`}, 0))`.execute(trx);
  const known = await findByAddress(trx, { network: code, address });
  if (known) {
    return nounOf(expectOwn(known, { accountId, walletId }));
  }
  await requireRoom(trx, walletId);
  const row = await trx
    .insertInto("deposit_addresses")
    .values({
      account_id: accountId,
      id: createId("adr"),
      wallet_id: walletId,
      network: code,
      address,
      external_id: externalId ?? null,
      metadata: JSON.stringify(metadata),
      created_at: trx.now,
    })
    // Waits for concurrent writes of the same external id: of any number, one succeeds.
    .onConflict((conflict) =>
      conflict.columns(["external_id", "account_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw externalIdUsed("has another deposit address");
  }
  const after = { walletId, network: code, address };
  await recordAudit(trx, { accountId, type: "deposit_address.created", resourceId: row.id, after });
  return nounOf(row);
}

/** The network of a wallet that belongs to the account, is active, and has a currency with a network. */
async function requireNetwork(
  { wallets }: Pick<Ledger, "wallets">,
  { accountId, walletId }: OfWallet,
): Promise<Network> {
  const { wallet, network } = await requireWallet({ wallets }, { accountId, walletId });
  if (wallet.status !== "active") {
    const message = `The wallet ${walletId} is ${wallet.status}, so it gets no new deposit address.`;
    throw new Problem("WALLET_NOT_ACTIVE", message);
  }
  return network;
}

export async function requireWallet(
  { wallets }: Pick<Ledger, "wallets">,
  { accountId, walletId }: OfWallet,
): Promise<{ wallet: Wallet; network: Network }> {
  const wallet = await wallets.get({ accountId, id: walletId });
  if (!wallet) {
    throw invalidField("walletId", "is not a wallet of this account");
  }
  const network = networkOf(wallet.currency);
  if (!network) {
    throw invalidField("walletId", `must be a wallet in BTC, ETH or USDC, and this one is in ${wallet.currency}`);
  }
  return { wallet, network };
}

async function requireRoom(db: Kysely<CustodyTables>, walletId: string): Promise<void> {
  const { count } = await db
    .selectFrom("deposit_addresses")
    .select(sql<number>`count(*)`.as("count"))
    .where(isExactly("wallet_id", walletId))
    .executeTakeFirstOrThrow();
  if (count >= maxDepositAddressesOfWallet) {
    throw new Problem(
      "LIMIT_REACHED",
      `The wallet ${walletId} has ${maxDepositAddressesOfWallet} deposit addresses, which is the maximum. Each may be used again.`,
    );
  }
}

type Row = Selectable<DepositAddressesTable>;

export function findByAddress(
  db: Kysely<CustodyTables>,
  { network, address }: { network: NetworkCode; address: string },
): Promise<Row | undefined> {
  return db
    .selectFrom("deposit_addresses")
    .selectAll()
    .where("network", "=", network)
    .where("address", "=", address)
    .executeTakeFirst();
}

/** If a port handed out an address twice, money of one wallet would be booked for another. */
function expectOwn(row: Row, { accountId, walletId }: OfWallet): Row {
  if (row.account_id !== accountId || row.wallet_id !== walletId) {
    throw new Error(
      `The chain handed out the address ${row.address} for ${walletId}, but it belongs to ${row.wallet_id}.`,
    );
  }
  return row;
}
