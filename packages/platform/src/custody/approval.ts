import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf, type NounOf } from "@gateway/engine/noun";
import { Problem } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { findOwn, isOwn, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { expectMoved, move } from "@gateway/engine/move";
import { readPage, refuseBesideRange, type Page, type PageRequest } from "@gateway/engine/page";
import { countApprovals, findDecisionRefusal, type ApprovalDecision, type DecisionRefusal } from "./judge-decision.ts";
import type { ApprovalsTable, OutgoingTables } from "./tables.ts";
import { endTransfer, lockTransfer, submitTransferKind } from "./transfer-end.ts";

export type Approval = NounOf<Row>;

export const expireApprovalKind = "approval.expire";

type ApprovalFilter = { status?: Approval["status"] | undefined; transferId?: string | undefined };

export type Approvals = ReturnType<typeof createApprovals>;

type ListInput = { accountId: string } & ApprovalFilter & PageRequest;

type DecideInput = Own & { personId: string | null; decision: ApprovalDecision["decision"]; comment: string | null };

type Row = Selectable<ApprovalsTable>;

export function createApprovals(db: Kysely<OutgoingTables>, deps: CustodyDeps) {
  return {
    get: (own: Own) => findOwn(db.selectFrom("approvals").selectAll(), own, nounOf<Row>),
    list: (request: ListInput) => listApprovals(db, deps, request),
    /** `personId` null: a simulated owner of the sandbox. The last required approval lets the transfer go out. */
    decide: (input: DecideInput) => deps.inAccount(db, input.accountId, (trx) => decide(trx, deps, input)),
    /** Ends the approval and its transfer once it has expired. Returns the expiry when that is still ahead, or null. */
    expire: (own: Own) => deps.inAccount(db, own.accountId, (trx) => expire(trx, deps, own)),
    eraseTexts: async (accountId: string) => {
      await sql`
        update approvals set decisions = (
          select coalesce(jsonb_agg(jsonb_set(decision, '{comment}', 'null') order by place), '[]')
          from jsonb_array_elements(decisions) with ordinality as each (decision, place)
        )
        where account_id = ${accountId}
      `.execute(db);
    },
  };
}

async function listApprovals(
  db: Kysely<OutgoingTables>,
  { cursors }: CustodyDeps,
  { accountId, status, transferId, ...page }: ListInput,
): Promise<Page<Approval>> {
  refuseBesideRange(page, { status, transferId });
  let query = db.selectFrom("approvals").selectAll();
  if (transferId !== undefined && status !== undefined) {
    // A transfer has at most one approval. The expression keeps the planner from using the index of states.
    query = query.where(sql<boolean>`status || '' = ${status}`);
  }
  return readPage(db, query, {
    ...page,
    of: {
      ...(transferId !== undefined ? { transfer_id: transferId } : status !== undefined && { status }),
      account_id: accountId,
    },
    cursors,
    list: `approvals ${accountId} ${status ?? ""} ${transferId ?? ""}`,
    toItem: nounOf,
  });
}

async function decide(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { id, accountId, personId, decision, comment }: DecideInput,
): Promise<Approval | null> {
  const nowMs = trx.now.getTime();
  const locked = await lockBoth(trx, { id, accountId });
  if (!locked) {
    return null;
  }
  const { approval, transfer } = locked;
  const state = {
    status: approval.status,
    expiresAtMs: approval.expires_at.getTime(),
    decisions: approval.decisions,
    initiators: transfer.initiators,
    owners: await deps.accounts.people.listOwners(accountId),
    nowMs,
  };
  const refusal = findDecisionRefusal(state, { personId, decision });
  if (refusal !== null) {
    throw new Problem(refusal, messages[refusal](approval, personId, nowMs));
  }
  if (decision === "approved") {
    await refuseInactiveWallet(deps, { id: approval.wallet_id, accountId });
  }
  const at = trx.now;
  const decisions = [...approval.decisions, { personId, decision, comment, at: at.toISOString() }];
  const set = { decisions: JSON.stringify(decisions), decided_at: at };
  let row: Row;
  if (decision === "rejected") {
    row = await moved(trx, { name: "reject", id, accountId, set });
    await endTransfer(trx, deps, "reject", { transfer, failureCode: "approval_rejected" });
  } else if (countApprovals({ ...state, decisions }) >= approval.required_approvals) {
    row = await moved(trx, { name: "approve", id, accountId, set });
    await deps.work.queue.arm({ accountId, kind: submitTransferKind, subjectId: transfer.id, firesAt: at });
  } else {
    row = await trx
      .updateTable("approvals")
      .set({ decisions: set.decisions })
      .where(isOwn({ id, accountId }))
      .returningAll()
      .executeTakeFirstOrThrow();
  }
  const type = decision === "approved" ? "approval.approved" : "approval.rejected";
  await deps.recordAudit(trx, { accountId, type, resourceId: id, after: { status: row.status } });
  if (row.status !== "requested") {
    await deps.work.inbox.resume({ accountId, subjectId: transfer.id });
  }
  return nounOf(row);
}

const messages: Readonly<Record<DecisionRefusal, (approval: Row, personId: string | null, nowMs: number) => string>> = {
  INVALID_STATE: ({ id, status, expires_at: expiresAt }) =>
    status === "requested"
      ? `The custody approval ${id} expired at ${expiresAt.toISOString()}.`
      : `The custody approval ${id} is ${status}, and only one that is requested can be decided.`,
  APPROVER_IS_INITIATOR: ({ transfer_id: transferId }, personId) =>
    `The person ${personId} asked for the transfer ${transferId}, or made the API key that did. They may reject it; another owner has to approve it.`,
  FORBIDDEN: (_approval, personId) =>
    `The person ${personId} is not an owner of this account, or became one less than 24 hours ago and does not count yet.`,
  ALREADY_DECIDED: ({ id }, personId) => `The person ${personId} has decided on the approval ${id} already.`,
};

async function refuseInactiveWallet(deps: CustodyDeps, wallet: Own): Promise<void> {
  const found = await deps.ledger.wallets.get(wallet);
  if (found?.status !== "active") {
    throw new Problem(
      "WALLET_NOT_ACTIVE",
      `The wallet ${wallet.id} is ${found?.status ?? "gone"}, so nothing new can be sent from it.`,
    );
  }
}

async function expire(trx: AccountTransaction<OutgoingTables>, deps: CustodyDeps, own: Own): Promise<Date | null> {
  const locked = await lockBoth(trx, own);
  if (locked?.approval.status !== "requested") {
    return null;
  }
  const { approval, transfer } = locked;
  if (trx.now < approval.expires_at) {
    return approval.expires_at;
  }
  await moved(trx, { name: "expire", ...own, set: { decided_at: trx.now } });
  await endTransfer(trx, deps, "expire", { transfer, failureCode: "approval_expired" });
  await deps.work.inbox.resume({ accountId: own.accountId, subjectId: transfer.id });
  return null;
}

/** Cancels it together with its transfer, which the caller holds. */
export async function cancelApproval(trx: AccountTransaction<OutgoingTables>, own: Own): Promise<void> {
  await moved(trx, { name: "cancel", ...own, set: { decided_at: trx.now } });
}

type Moving = Own & { name: "approve" | "reject" | "expire" | "cancel"; set: { decisions?: string; decided_at: Date } };

async function moved(trx: AccountTransaction<OutgoingTables>, { name, ...change }: Moving): Promise<Row> {
  const table = { machine: "CustodyApproval", table: "approvals" } as const;
  return expectMoved(await move(trx, table, name, change)).row;
}

/** Locks the transfer first, like everything that locks both. */
async function lockBoth(trx: Transaction<OutgoingTables>, own: Own) {
  const found = await selectOwn(trx, own).executeTakeFirst();
  const transfer = found && (await lockTransfer(trx, { id: found.transfer_id, accountId: own.accountId }));
  const approval = await selectOwn(trx, own).forNoKeyUpdate().executeTakeFirst();
  return transfer && approval ? { transfer, approval } : null;
}

function selectOwn(db: Kysely<OutgoingTables>, own: Own) {
  return db.selectFrom("approvals").selectAll().where(isOwn(own));
}
