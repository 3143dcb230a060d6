import { Problem } from "@gateway/contract";
import { isOwn, type Own } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { sql } from "kysely";
import { move, type Moves } from "@gateway/engine/move";
import type { KycFact } from "@gateway/ports";
import type { Fact, FactVerdict } from "@gateway/engine/work";
import {
  isOpen,
  kycKinds,
  type KycRow,
  type KycVerification,
  type KycVerificationDeps,
  lockRow,
  sealText,
  verificationOf,
} from "./kyc-row.ts";
import { checksAfter } from "./kyc-rules.ts";
import { presentKycVerification } from "./present-kyc-verification.ts";
import { keptMs } from "./submit-kyc.ts";
import type { IdentityTables, KycCheck, KycDecidedBy, KycRejectionCode } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
const validMs = 365 * dayMs;
/** The longest time for a review. */
const reviewMs = 90 * dayMs;

type Trx = AccountTransaction<IdentityTables>;
type Deps = KycVerificationDeps;

const kycTable = { machine: "KycVerification", table: "kyc_verifications" } as const;

export type KycReviewed = Own & {
  decision: "verified" | "rejected";
  reason: string;
  decidedBy: KycDecidedBy;
};

/** Null when there is no such verification. One of several concurrent decisions succeeds. */
export async function decideKyc(
  trx: Trx,
  deps: Deps,
  { decision, reason, decidedBy, ...own }: KycReviewed,
): Promise<KycVerification | null> {
  const at = trx.now;
  const sealed = sealText(deps.cipher, { field: "reason", ...own }, reason);
  const end = { ...own, at, decidedBy, set: { reason: sealed }, guard: sql<boolean>`review_until > ${at}` };
  const row = await (decision === "verified"
    ? verify(trx, deps, "decideVerified", end)
    : reject(trx, deps, "decideRejected", { ...end, code: "reviewer_decision" }));
  if (!row) {
    return null;
  }
  const after = { status: row.status, ...(row.rejection_code && { rejectionCode: row.rejection_code }) };
  await deps.recordAudit(trx, {
    accountId: own.accountId,
    type: "kyc_verification.decided",
    resourceId: own.id,
    after,
  });
  return verificationOf(row);
}

/** During the checks the engine decides. Under review it only adds results, and afterwards it is too late. */
export async function applyKycFact(trx: Trx, deps: Deps, fact: Fact): Promise<FactVerdict> {
  const own = { id: fact.subjectId, accountId: fact.accountId };
  // The port's type: `checksAfter` refuses everything else.
  const content = fact.content as KycFact;
  const row = await lockRow(trx, own);
  if (!row) {
    return "parked";
  }
  const checks = checksAfter(row.checks, content);
  if (!checks) {
    return "mismatched";
  }
  if (row.status === "review_required") {
    await setChecks(trx, own, checks);
    return "applied";
  }
  if (row.status !== "submitted") {
    return row.status === "verified" && content.type === "failed" ? "mismatched" : "superseded";
  }
  await applyToSubmitted(trx, deps, { ...own, content, checks });
  return "applied";
}

async function setChecks(trx: Trx, own: Own, checks: readonly KycCheck[]): Promise<void> {
  await trx
    .updateTable("kyc_verifications")
    .set({ checks: JSON.stringify(checks) })
    .where(isOwn(own))
    .execute();
}

async function applyToSubmitted(
  trx: Trx,
  deps: Deps,
  { content, checks, ...own }: Own & { content: KycFact; checks: readonly KycCheck[] },
): Promise<void> {
  const decidedBy = { kind: "engine", id: null } as const;
  const end = { ...own, at: trx.now, decidedBy, set: { checks: JSON.stringify(checks) } };
  switch (content.type) {
    case "passed":
      await verify(trx, deps, "verify", end);
      return;
    case "failed":
      // A code of the document: `checksAfter` has verified it.
      await reject(trx, deps, "reject", { ...end, code: content.code as KycRejectionCode });
      return;
    case "unclear":
      await review(trx, deps, "review", end);
  }
}

export async function fallSilent(trx: Trx, deps: Deps, { at, ...own }: Own & { at: Date }): Promise<void> {
  if ((await lockRow(trx, own))?.status === "submitted") {
    await review(trx, deps, "fallSilent", { ...own, at });
  }
}

export async function expireKyc(trx: Trx, deps: Deps, { at, ...own }: Own & { at: Date }): Promise<void> {
  if ((await lockRow(trx, own))?.status === "review_required") {
    await reject(trx, deps, "expire", { ...own, at, decidedBy: null, code: "expired" });
  }
}

/** Null when there is no such verification. One without personal data stays as it is. */
export async function forgetKyc(
  trx: Trx,
  { recordAudit }: Deps,
  { at, ...own }: Own & { at: Date },
): Promise<KycVerification | null> {
  const before = await lockRow(trx, own);
  if (!before) {
    return null;
  }
  if (isOpen(before)) {
    throw new Problem(
      "INVALID_STATE",
      `The kyc verification ${own.id} is ${before.status}, and its personal data is deleted only after its decision.`,
    );
  }
  if (before.personal_deleted_at) {
    return verificationOf(before);
  }
  const row = await trx
    .updateTable("kyc_verifications")
    .set({ personal: null, reason: null, personal_deleted_at: at })
    .where(isOwn(own))
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordAudit(trx, {
    accountId: own.accountId,
    type: "kyc_verification.personal_data_deleted",
    resourceId: own.id,
  });
  return verificationOf(row);
}

type Change = Parameters<
  typeof move<IdentityTables, "kyc_verifications", "KycVerification", Moves<"KycVerification">>
>[3];
type Step = Own & { at: Date } & Pick<Change, "set" | "guard">;
type End = Step & { decidedBy: KycDecidedBy | null };

async function verify(
  trx: Trx,
  deps: Deps,
  name: "verify" | "decideVerified",
  { at, decidedBy, set, guard, ...own }: End,
): Promise<KycRow | null> {
  const decided = { ...set, ...decidedSet({ at, decidedBy }), valid_until: new Date(at.getTime() + validMs) };
  const moved = await move(trx, kycTable, name, { ...own, set: decided, ...(guard && { guard }) });
  if (!moved) {
    return null;
  }
  await deps.recorder.record(trx, [moved.event("kyc.verified", presentKycVerification(verificationOf(moved.row)))]);
  await armForget(deps, own, at);
  return moved.row;
}

async function reject(
  trx: Trx,
  deps: Deps,
  name: "reject" | "decideRejected" | "expire",
  { at, decidedBy, code, set, guard, ...own }: End & { code: KycRejectionCode },
): Promise<KycRow | null> {
  const decided = { ...set, ...decidedSet({ at, decidedBy }), rejection_code: code };
  const moved = await move(trx, kycTable, name, { ...own, set: decided, ...(guard && { guard }) });
  if (!moved) {
    return null;
  }
  await deps.recorder.record(trx, [moved.event("kyc.rejected", presentKycVerification(verificationOf(moved.row)))]);
  await armForget(deps, own, at);
  return moved.row;
}

function decidedSet({ at, decidedBy }: Pick<End, "at" | "decidedBy">) {
  return { decided_at: at, decided_by: decidedBy && JSON.stringify(decidedBy) };
}

async function review(trx: Trx, deps: Deps, name: "review" | "fallSilent", { at, set, ...own }: Step): Promise<void> {
  const until = new Date(at.getTime() + reviewMs);
  const moved = await move(trx, kycTable, name, { ...own, set: { ...set, review_until: until } });
  if (moved) {
    const required = moved.event("kyc.review_required", presentKycVerification(verificationOf(moved.row)));
    await deps.recorder.record(trx, [required]);
    await deps.work.queue.arm({
      accountId: own.accountId,
      kind: kycKinds.undecided,
      subjectId: own.id,
      firesAt: until,
    });
  }
}

function armForget(deps: Deps, { accountId, id }: Own, at: Date): Promise<void> {
  const firesAt = new Date(at.getTime() + keptMs);
  return deps.work.queue.arm({ accountId, kind: kycKinds.forget, subjectId: id, firesAt });
}
