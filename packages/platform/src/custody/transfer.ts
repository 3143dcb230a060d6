import { invalidField, Problem, type Schemas } from "@gateway/contract";
import { transaction } from "@gateway/database";
import type { CursorCodec } from "@gateway/kernel";
import { sql, type Kysely, type Transaction } from "kysely";
import type { AccountTime } from "../account-time.ts";
import type { RecordAudit } from "../audit/index.ts";
import type { CreateId } from "../id.ts";
import { postedOrThrow, type Ledger, type Wallet } from "../ledger/index.ts";
import { begin } from "../move.ts";
import { readPage, refuseBesideRange, startOfPage, type Page, type PageRequest } from "../page.ts";
import type { Chain, OutsidePorts, TransferFact } from "../ports/index.ts";
import { requirePort } from "../require-port.ts";
import type { FactVerdict, WorkService } from "../work/index.ts";
import { isInAddressBook } from "./address-book.ts";
import { findAddressProblem } from "./address-form.ts";
import { approvalOf, cancelApproval, expireApprovalKind } from "./approval.ts";
import { applyTransferFact } from "./apply-transfer-fact.ts";
import { approvalLifeMs, listApprovers, type Owner } from "./judge-decision.ts";
import { judgeTransfer } from "./judge-transfer.ts";
import { networkOf, spellAddress, type Network } from "./network.ts";
import type { OutgoingTables, TransferInitiator, TransferStatus } from "./outgoing-tables.ts";
import { presentApproval, presentTransfer } from "./present-transfer.ts";
import {
  endTransfer,
  holding,
  lockTransfer,
  selectTransfer,
  submitTransferKind,
  transferTable,
  type EndDeps,
  type TransferRow,
} from "./transfer-end.ts";
import { findPolicy } from "./transfer-policy.ts";
import { transferOf, type Transfer } from "./transfer-view.ts";

type Own = { id: string; accountId: string };

export type TransferFilter = {
  walletId?: string | undefined;
  status?: TransferStatus | undefined;
  externalId?: string | undefined;
};

export interface Transfers {
  /** Holds amount and fee, by the leave of the account's policy. */
  create(
    input: { accountId: string; initiatedBy: TransferInitiator } & Schemas["CustodyTransferCreate"],
  ): Promise<Transfer>;
  get(input: Own): Promise<Transfer | null>;
  list(input: { accountId: string } & TransferFilter & PageRequest): Promise<Page<Transfer>>;
  /** Only before it begins to be sent. */
  cancel(input: Own): Promise<Transfer | null>;
  /** What is to be sent now, and can no more be canceled; null when there is nothing to send. Must be committed before it is sent. */
  beginSubmit(input: Own): Promise<Parameters<Chain["submit"]>[0] | null>;
  /** In the transaction of its receipt. */
  applyFact(input: { accountId: string; fact: TransferFact }): Promise<FactVerdict>;
  /** For the sandbox, in whose name a fact is told then: refuses one that waits for an approval or has ended. */
  holdSimulated(input: Own): Promise<Transfer | null>;
  /** What people wrote with them. */
  eraseTexts(accountId: string): Promise<void>;
}

export type TransferDeps = EndDeps & {
  accountTime: AccountTime;
  createId: CreateId;
  cursors: CursorCodec;
  recordAudit: RecordAudit;
  findWallet: Ledger["wallets"]["get"];
  arm: WorkService["queue"]["arm"];
  listOwners(accountId: string): Promise<Owner[]>;
  /** See `ApiKeys.listMakers`. */
  listMakers(key: Own): Promise<string[]>;
  /** See `TransferPolicyDeps`. */
  simulatedOwners: number;
  ports: Pick<OutsidePorts, "chain">;
};

export function createTransfers(db: Kysely<OutgoingTables>, deps: TransferDeps): Transfers {
  return {
    create: (input) => transaction(db, (trx) => createTransfer(trx, deps, input)),
    get: async (own) => {
      const row = await selectTransfer(db, own).executeTakeFirst();
      return row ? transferOf(row) : null;
    },
    list: (request) => listTransfers(db, deps, request),
    cancel: (own) => transaction(db, (trx) => cancelTransfer(trx, deps, own)),
    beginSubmit: (own) => transaction(db, (trx) => beginSubmit(trx, deps, own)),
    applyFact: (input) => transaction(db, (trx) => applyTransferFact(trx, deps, input)),
    holdSimulated: (own) => transaction(db, (trx) => holdSimulated(trx, deps, own)),
    eraseTexts: async (accountId) => {
      await db
        .updateTable("transfers")
        .set({ metadata: "{}", external_id: null })
        .where("account_id", "=", accountId)
        .execute();
    },
  };
}

type Creation = Parameters<Transfers["create"]>[0];

async function createTransfer(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  input: Creation,
): Promise<Transfer> {
  const { accountId, initiatedBy } = input;
  requirePort(deps.ports, "chain");
  const nowMs = await deps.accountTime(trx, accountId);
  const network = await readNetwork(deps, input);
  const destination = spellAddress(network.code, input.destinationAddress);
  const initiators =
    initiatedBy.kind === "person" ? [initiatedBy.id] : await deps.listMakers({ id: initiatedBy.id, accountId });
  const requiredApprovals = await judge(trx, deps, { input, network, initiators, nowMs });
  const { state: status, emit } = begin(trx, transferTable(deps), "initiate", { accountId, happenedAtMs: nowMs });
  const approvalId = requiredApprovals === 0 ? null : deps.createId("apr");
  const row = await trx
    .insertInto("transfers")
    .values({
      account_id: accountId,
      id: deps.createId("trf"),
      wallet_id: input.walletId,
      currency: network.currency,
      network: network.code,
      amount: input.amount,
      fee: network.feeMinor,
      destination_address: destination,
      status,
      approval_id: approvalId,
      initiated_by: JSON.stringify(initiatedBy),
      initiators,
      external_id: input.externalId ?? null,
      metadata: JSON.stringify(input.metadata ?? {}),
      created_at: new Date(nowMs),
    })
    // Waits for others who write the same one: of any number at once, one succeeds.
    .onConflict((conflict) =>
      conflict.columns(["external_id", "account_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw new Problem(
      "EXTERNAL_ID_USED",
      "The account has, or had, another transfer with this externalId. Send another one, or find the first with ?externalId=.",
    );
  }
  await emit("custody.transfer.initiated", presentTransfer(transferOf(row)));
  if (approvalId === null) {
    await deps.arm({ accountId, kind: submitTransferKind, subjectId: row.id, firesAt: row.created_at });
  } else {
    await requestApproval(trx, deps, { row, id: approvalId, requiredApprovals, nowMs });
  }
  await deps.post(holding(row, "hold")).then(postedOrThrow);
  const { walletId, amount } = input;
  const after = { walletId, amount, destinationAddress: destination, approvalId };
  await deps.recordAudit(trx, { accountId, type: "transfer.created", resourceId: row.id, after });
  return transferOf(row);
}

async function readNetwork(
  deps: TransferDeps,
  { accountId, walletId, amount, destinationAddress }: Creation,
): Promise<Network> {
  const wallet: Wallet | null = await deps.findWallet({ id: walletId, accountId });
  if (!wallet) {
    throw invalidField("walletId", "is not a wallet of this account");
  }
  const network = networkOf(wallet.currency);
  if (!network) {
    throw invalidField("walletId", `must hold BTC, ETH or USDC; ${wallet.currency} has no network`);
  }
  if (amount < network.minimumMinor) {
    throw invalidField("amount", `must be at least ${network.minimumMinor}, the least that its network moves`);
  }
  const problem = findAddressProblem(network.code, destinationAddress);
  if (problem !== null) {
    throw invalidField("destinationAddress", problem);
  }
  if (!Number.isSafeInteger(amount + network.feeMinor)) {
    throw new Problem(
      "INSUFFICIENT_FUNDS",
      `No wallet holds ${amount} and a fee of ${network.feeMinor}, in minor units.`,
    );
  }
  return network;
}

type Judging = { input: Creation; network: Network; initiators: readonly string[]; nowMs: number };

/** How many have to approve. Of many at once in a currency, each is judged with those before it. */
async function judge(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  { input: { accountId, amount, destinationAddress }, network, initiators, nowMs }: Judging,
): Promise<number> {
  const { code, currency } = network;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfers ${accountId} ${currency}`}, 0))`.execute(trx);
  const { rules } = await findPolicy(trx, { accountId, nowMs });
  const judgement = judgeTransfer(rules, {
    currency,
    sumMinor: BigInt(amount) + (await sumOfDay(trx, { accountId, currency, nowMs })),
    isInAddressBook: await isInAddressBook(trx, { accountId, network: code, address: destinationAddress, nowMs }),
  });
  if (judgement.action === "block") {
    throw new Problem("POLICY_BLOCKED", "The transfer policy refuses this transfer: no rule allows it.");
  }
  if (judgement.action === "allow") {
    return 0;
  }
  const owners = await deps.listOwners(accountId);
  const approvers = listApprovers({ owners, initiators: [...initiators], nowMs }).length + deps.simulatedOwners;
  if (approvers < judgement.requiredApprovals) {
    throw new Problem(
      "POLICY_BLOCKED",
      `The transfer policy asks for ${judgement.requiredApprovals} approvals, and ${approvers} owners of this account could approve this transfer: who asks for it does not count, nor who became owner less than 24 hours ago.`,
    );
  }
  return judgement.requiredApprovals;
}

const dayMs = 24 * 60 * 60 * 1000;

async function sumOfDay(
  db: Kysely<OutgoingTables>,
  { accountId, currency, nowMs }: { accountId: string; currency: string; nowMs: number },
): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount), 0)::text as sum from transfers
    where account_id || '' = ${accountId} and currency = ${currency} and created_at > ${new Date(nowMs - dayMs)}
      and status in ('initiated', 'broadcast', 'completed')
  `.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}

type Requesting = { row: TransferRow; id: string; requiredApprovals: number; nowMs: number };

async function requestApproval(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  { row, id, requiredApprovals, nowMs }: Requesting,
): Promise<void> {
  const { account_id: accountId } = row;
  const table = { machine: "CustodyApproval", table: "approvals", recordEvent: deps.recordEvent } as const;
  const { state: status, emit } = begin(trx, table, "request", { accountId, happenedAtMs: nowMs });
  const expiresAt = new Date(nowMs + approvalLifeMs);
  const approval = await trx
    .insertInto("approvals")
    .values({
      account_id: accountId,
      id,
      transfer_id: row.id,
      wallet_id: row.wallet_id,
      currency: row.currency,
      amount: row.amount,
      status,
      required_approvals: requiredApprovals,
      decisions: "[]",
      created_at: new Date(nowMs),
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await emit("custody.approval.requested", presentApproval(approvalOf(approval)));
  await deps.arm({ accountId, kind: expireApprovalKind, subjectId: id, firesAt: expiresAt });
}

async function listTransfers(
  db: Kysely<OutgoingTables>,
  { cursors }: TransferDeps,
  { accountId, walletId, status, externalId, ...page }: Parameters<Transfers["list"]>[0],
): Promise<Page<Transfer>> {
  refuseBesideRange(page, { walletId, status, externalId });
  const query = db.selectFrom("transfers").selectAll();
  if (externalId !== undefined) {
    // There is no next page whose cursor could be sent.
    startOfPage(cursors, "transfers of an external id", page.cursor);
    const row = await query
      .where("external_id", "=", externalId)
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    const fits = row && (walletId ?? row.wallet_id) === row.wallet_id && (status ?? row.status) === row.status;
    return { items: fits ? [transferOf(row)] : [], nextCursor: null };
  }
  const both = walletId !== undefined && status !== undefined;
  return readPage(db, query, {
    ...page,
    of: {
      ...(both
        ? { wallet_status: `${walletId} ${status}` }
        : { ...(walletId !== undefined && { wallet_id: walletId }), ...(status !== undefined && { status }) }),
      account_id: accountId,
    },
    cursors,
    list: `transfers ${accountId} ${walletId ?? ""} ${status ?? ""}`,
    toItem: transferOf,
  });
}

async function cancelTransfer(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  own: Own,
): Promise<Transfer | null> {
  const nowMs = await deps.accountTime(trx, own.accountId);
  const transfer = await lockTransfer(trx, own);
  if (!transfer) {
    return null;
  }
  if (transfer.status === "initiated" && transfer.submitted_at !== null) {
    throw new Problem(
      "INVALID_STATE",
      `The custody transfer ${own.id} is on its way to its network, and cannot be canceled.`,
    );
  }
  // Before the approval, so that one that has ended is refused as what it is.
  const row = await endTransfer(trx, deps, "cancel", { transfer, failureCode: "canceled" });
  if (row.approval_id !== null && (await isRequested(trx, { id: row.approval_id, accountId: own.accountId }))) {
    await cancelApproval(trx, deps, { id: row.approval_id, accountId: own.accountId, nowMs });
  }
  await deps.recordAudit(trx, { accountId: own.accountId, type: "transfer.canceled", resourceId: own.id });
  await deps.resume({ accountId: own.accountId, subjectId: own.id });
  return transferOf(row);
}

/** Who holds the transfer may ask: nothing decides an approval without it. */
async function isRequested(trx: Transaction<OutgoingTables>, own: Own): Promise<boolean> {
  return (await statusOfApproval(trx, own)) === "requested";
}

async function statusOfApproval(trx: Transaction<OutgoingTables>, { id, accountId }: Own): Promise<string | undefined> {
  const row = await trx
    .selectFrom("approvals")
    .select("status")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status;
}

async function beginSubmit(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  own: Own,
): Promise<Parameters<Chain["submit"]>[0] | null> {
  const nowMs = await deps.accountTime(trx, own.accountId);
  const transfer = await lockTransfer(trx, own);
  if (!transfer || !(await mayGoOut(trx, transfer))) {
    return null;
  }
  await markSubmitted(trx, deps, { transfer, nowMs });
  return {
    accountId: own.accountId,
    transferId: transfer.id,
    network: transfer.network,
    address: transfer.destination_address,
    amountMinor: transfer.amount,
    feeMinor: transfer.fee,
  };
}

async function mayGoOut(trx: Transaction<OutgoingTables>, transfer: TransferRow): Promise<boolean> {
  const { account_id: accountId, approval_id: id } = transfer;
  return (
    transfer.status === "initiated" && (id === null || (await statusOfApproval(trx, { id, accountId })) === "approved")
  );
}

/** The first time stays. What the network told before it was asked has waited for this. */
async function markSubmitted(
  trx: Transaction<OutgoingTables>,
  deps: TransferDeps,
  { transfer, nowMs }: { transfer: TransferRow; nowMs: number },
): Promise<void> {
  const { account_id: accountId, id } = transfer;
  if (transfer.submitted_at === null) {
    await trx
      .updateTable("transfers")
      .set({ submitted_at: new Date(nowMs) })
      .where("account_id", "=", accountId)
      .where("id", "=", id)
      .execute();
    await deps.resume({ accountId, subjectId: id });
  }
}

async function holdSimulated(trx: Transaction<OutgoingTables>, deps: TransferDeps, own: Own): Promise<Transfer | null> {
  const nowMs = await deps.accountTime(trx, own.accountId);
  const transfer = await lockTransfer(trx, own);
  if (!transfer) {
    return null;
  }
  if (transfer.status !== "broadcast" && !(await mayGoOut(trx, transfer))) {
    const reason = transfer.status === "initiated" ? "waits for its approval" : `is ${transfer.status}`;
    throw new Problem("INVALID_STATE", `The custody transfer ${own.id} ${reason}, so its network has nothing to tell.`);
  }
  await markSubmitted(trx, deps, { transfer, nowMs });
  await deps.recordAudit(trx, { accountId: own.accountId, type: "transfer.simulated", resourceId: own.id });
  return transferOf(transfer);
}
