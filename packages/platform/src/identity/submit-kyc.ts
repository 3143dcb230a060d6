import { invalidField, Problem, type Schemas } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { externalIdUsed } from "@gateway/engine/find-own";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { hasHiddenCharacters } from "@gateway/engine/hidden-characters";
import { begin } from "@gateway/engine/move";
import { walkIndex } from "@gateway/engine/page";
import {
  isOpen,
  kycKinds,
  type KycRow,
  type KycVerification,
  type KycVerificationDeps,
  lockReference,
  sealText,
  verificationOf,
} from "./kyc-row.ts";
import { lookFirst } from "./kyc-rules.ts";
import { presentKycVerification } from "./present-kyc-verification.ts";
import type { IdentityTables } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The time for which the engine may be silent. */
const silenceMs = dayMs;
/** The time for which submitted data is kept after the decision. */
export const keptMs = 30 * dayMs;

/** Within 24 hours. */
const attemptsOfReference = 3;
const attemptsWithoutReference = 20;

export type Submission = { accountId: string } & Schemas["KycVerificationCreate"];

/**
 * Refuses before it writes, and a refusal does not count as an attempt. A verification that fails without the engine is
 * stored as rejected.
 */
export async function submitKyc(
  trx: AccountTransaction<IdentityTables>,
  deps: KycVerificationDeps,
  { accountId, reference = "", externalId, subject, documents, metadata = {} }: Submission,
): Promise<KycVerification> {
  refuseHiddenNames(subject);
  const at = trx.now;
  const nowMs = at.getTime();
  const { checks, rejectionCode } = lookFirst({ subject, documents }, nowMs);
  await lockReference(trx, { accountId, reference });
  await refuseExternalId(trx, { accountId, externalId });
  const last = await readLast(trx, { accountId, reference });
  refuseTooMany(last, { reference, nowMs });

  const own = { accountId, id: deps.createId("kyc") };
  const submitted = begin("KycVerification", "submit");
  const refused = begin("KycVerification", "refuse");
  const row = await trx
    .insertInto("kyc_verifications")
    .values({
      id: own.id,
      account_id: accountId,
      reference,
      external_id: externalId ?? null,
      status: rejectionCode ? refused.state : submitted.state,
      checks: JSON.stringify(checks),
      rejection_code: rejectionCode,
      decided_at: rejectionCode && at,
      previous_id: reference === "" ? null : (last[0]?.id ?? null),
      personal: sealText(deps.cipher, { field: "personal data", ...own }, JSON.stringify({ subject, documents })),
      metadata: JSON.stringify(metadata),
      created_at: at,
    })
    // Waits for concurrent inserts with the same external id, of which one succeeds.
    .onConflict((conflict) =>
      conflict.columns(["account_id", "external_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw externalIdUsed("has, or had, another identity verification");
  }
  const verification = verificationOf(row);
  const presented = presentKycVerification(verification);
  await deps.recorder.record(trx, [
    submitted.event("kyc.submitted", { ...presented, ...(rejectionCode && asSubmitted) }),
    ...(rejectionCode ? [refused.event("kyc.rejected", presented)] : []),
  ]);
  const after = { status: row.status, ...(rejectionCode && { rejectionCode }) };
  await deps.recordAudit(trx, { accountId, type: "kyc_verification.created", resourceId: own.id, after });
  const arm = (kind: string, afterMs: number): Promise<void> =>
    deps.work.queue.arm({ accountId, kind, subjectId: own.id, firesAt: new Date(nowMs + afterMs) });
  if (rejectionCode) {
    await arm(kycKinds.forget, keptMs);
  } else {
    await arm(kycKinds.check, 0);
    await arm(kycKinds.silence, silenceMs);
  }
  return verification;
}

const asSubmitted = {
  status: "submitted",
  checks: (["age", "document", "watchlist"] as const).map((name) => ({ name, result: "waiting", code: null })),
  rejectionCode: null,
  rejectionReason: null,
  decidedAt: null,
} satisfies Partial<Schemas["KycVerification"]>;

function refuseHiddenNames(subject: Submission["subject"]): void {
  for (const field of ["givenName", "familyName"] as const) {
    if (hasHiddenCharacters(subject[field])) {
      throw invalidField(
        `subject.${field}`,
        "must not hold characters that cannot be seen or that change the direction of text",
      );
    }
  }
}

async function refuseExternalId(
  trx: Transaction<IdentityTables>,
  { accountId, externalId }: { accountId: string; externalId: string | undefined },
): Promise<void> {
  const used =
    externalId !== undefined &&
    (await trx
      .selectFrom("kyc_verifications")
      .select("id")
      .where("account_id", "=", accountId)
      .where("external_id", "=", externalId)
      .executeTakeFirst());
  if (used) {
    throw externalIdUsed("has, or had, another identity verification");
  }
}

type Last = Pick<KycRow, "id" | "status" | "created_at">;

/** Newest first, at most the number that counts. Ids are ordered by time, because no account's clock goes back. */
function readLast(
  trx: Transaction<IdentityTables>,
  { accountId, reference }: { accountId: string; reference: string },
): Promise<Last[]> {
  const query = trx.selectFrom("kyc_verifications").select(["id", "status", "created_at"]);
  return walkIndex(query, {
    of: { reference, account_id: accountId },
    most: reference === "" ? attemptsWithoutReference : attemptsOfReference,
  }).execute();
}

function refuseTooMany(last: readonly Last[], { reference, nowMs }: { reference: string; nowMs: number }): void {
  const open = reference !== "" && last.find(isOpen);
  if (open) {
    throw new Problem(
      "KYC_IN_PROGRESS",
      `The verification ${open.id} of this reference is ${open.status}: wait until it ends.`,
    );
  }
  const most = reference === "" ? attemptsWithoutReference : attemptsOfReference;
  const first = last[most - 1];
  if (first && first.created_at.getTime() > nowMs - dayMs) {
    const of = reference === "" ? "without a reference" : "of this reference";
    const again = new Date(first.created_at.getTime() + dayMs).toISOString();
    throw new Problem(
      "KYC_ATTEMPTS_EXHAUSTED",
      `There were ${most} verifications ${of} in 24 hours, which is the maximum. Try again after ${again}.`,
    );
  }
}
