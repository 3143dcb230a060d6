import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem, type Schemas } from "@gateway/contract";
import { externalIdUsed } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql, type Kysely } from "kysely";
import { postedOrThrow, type Wallet } from "../ledger/index.ts";
import { begin, type TransitionEvent } from "@gateway/engine/move";
import { requirePort } from "@gateway/ports/require-port";
import { isInAddressBook } from "./address-book.ts";
import { readAddress } from "./address-form.ts";
import { expireApprovalKind } from "./approval.ts";
import { approvalLifeMs, listApprovers } from "./judge-decision.ts";
import { judgeTransfer } from "./judge-transfer.ts";
import { networkOf, type Network } from "./network.ts";
import type { OutgoingTables, TransferInitiator } from "./tables.ts";
import { presentApproval, presentTransfer } from "./present-transfer.ts";
import { simulatedOwnersOf } from "./transfer-deps.ts";
import { holding, submitTransferKind, type Transfer, type TransferRow } from "./transfer-end.ts";
import { findPolicy } from "./transfer-policy.ts";

export type Creation = { accountId: string; initiatedBy: TransferInitiator } & Schemas["CustodyTransferCreate"];

/** Applies the account's policy: the transfer goes out, waits for its approval, or is refused with nothing written. */
export async function initiateTransfer(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  input: Creation,
): Promise<Transfer> {
  const { accountId, initiatedBy } = input;
  requirePort(deps.ports, "chain");
  const { network, destination } = await readRoute(deps, input);
  const initiators =
    initiatedBy.kind === "person"
      ? [initiatedBy.id]
      : await deps.accounts.apiKeys.listMakers({ id: initiatedBy.id, accountId });
  const requiredApprovals = await judge(trx, deps, { input, network, initiators });
  const { state: status, event } = begin("CustodyTransfer", "initiate");
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
      created_at: trx.now,
    })
    // Waits for concurrent writes of the same external id: of any number, one succeeds.
    .onConflict((conflict) =>
      conflict.columns(["external_id", "account_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw externalIdUsed("has, or had, another transfer");
  }
  const announces: TransitionEvent[] = [event("custody.transfer.initiated", presentTransfer(nounOf(row)))];
  if (approvalId === null) {
    await deps.work.queue.arm({ accountId, kind: submitTransferKind, subjectId: row.id, firesAt: row.created_at });
  } else {
    announces.push(await requestApproval(trx, deps, { row, id: approvalId, requiredApprovals }));
  }
  await deps.ledger.post({ ...holding(row, "hold"), announces }).then(postedOrThrow);
  const { walletId, amount } = input;
  const after = { walletId, amount, destinationAddress: destination, approvalId };
  await deps.recordAudit(trx, { accountId, type: "transfer.created", resourceId: row.id, after });
  return nounOf(row);
}

type Route = { network: Network; /** The spelling that is stored. */ destination: string };

async function readRoute(
  deps: CustodyDeps,
  { accountId, walletId, amount, destinationAddress }: Creation,
): Promise<Route> {
  const wallet: Wallet | null = await deps.ledger.wallets.get({ id: walletId, accountId });
  if (!wallet) {
    throw invalidField("walletId", "is not a wallet of this account");
  }
  const network = networkOf(wallet.currency);
  if (!network) {
    throw invalidField("walletId", `must hold BTC, ETH or USDC; ${wallet.currency} has no network`);
  }
  if (amount < network.minimumMinor) {
    throw invalidField("amount", `must be at least ${network.minimumMinor}, the minimum that its network transfers`);
  }
  const reading = readAddress(network.code, destinationAddress, deps);
  if (!reading.isValid) {
    throw invalidField("destinationAddress", reading.problem);
  }
  if (!Number.isSafeInteger(amount + network.feeMinor)) {
    throw new Problem(
      "INSUFFICIENT_FUNDS",
      `No wallet holds ${amount} and a fee of ${network.feeMinor}, in minor units.`,
    );
  }
  return { network, destination: reading.address };
}

type Judging = { input: Creation; network: Network; initiators: readonly string[] };

/**
 * The number of required approvals. Concurrent transfers in a currency are judged in turn, each with those before it.
 */
async function judge(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { input: { accountId, amount, destinationAddress }, network, initiators }: Judging,
): Promise<number> {
  const nowMs = trx.now.getTime();
  const { code, currency } = network;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfers ${accountId} ${currency}`}, 0))`.execute(trx);
  const { rules } = await findPolicy(trx, { accountId, nowMs });
  // Simulated owners decide in the sandbox, and they hold no key.
  const isHolderKnown = !deps.livemode || initiators.length > 0;
  const judgement = judgeTransfer(rules, {
    currency,
    sumMinor: BigInt(amount) + (await sumOfDay(trx, { accountId, currency, nowMs })),
    isInAddressBook: await isInAddressBook(trx, { accountId, network: code, address: destinationAddress, nowMs }),
    isHolderKnown,
  });
  if (judgement.action === "block") {
    throw new Problem("POLICY_BLOCKED", "The transfer policy refuses this transfer: no rule allows it.");
  }
  if (judgement.action === "allow") {
    return 0;
  }
  const owners = await deps.accounts.people.listOwners(accountId);
  const approvers = listApprovers({ owners, initiators: [...initiators], nowMs }).length + simulatedOwnersOf(deps);
  if (approvers < judgement.requiredApprovals) {
    throw new Problem(
      "POLICY_BLOCKED",
      `This transfer needs ${judgement.requiredApprovals} approvals, and ${approvers} owners of this account could approve it. The person who created it does not count, nor does a person who became an owner less than 24 hours ago.${isHolderKnown ? "" : " One approval more than the policy requires is needed, because an operator made this key and any owner may hold it. A key that an owner makes does not need it."}`,
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

type Requesting = { row: TransferRow; id: string; requiredApprovals: number };

async function requestApproval(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { row, id, requiredApprovals }: Requesting,
): Promise<TransitionEvent> {
  const { account_id: accountId } = row;
  const { state: status, event } = begin("CustodyApproval", "request");
  const expiresAt = new Date(trx.now.getTime() + approvalLifeMs);
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
      created_at: trx.now,
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.work.queue.arm({ accountId, kind: expireApprovalKind, subjectId: id, firesAt: expiresAt });
  return event("custody.approval.requested", presentApproval(nounOf(approval)));
}
