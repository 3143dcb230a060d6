import { changeAll, findOwn, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { Problem } from "@gateway/contract";
import { sql, type Kysely } from "kysely";
import { type PageRequest } from "@gateway/engine/page";
import type { KycFact } from "@gateway/ports";
import { requirePort } from "@gateway/ports/require-port";
import type { Fact } from "@gateway/engine/work";
import {
  findRow,
  type KycPersonal,
  type KycVerification,
  type KycVerificationDeps,
  lockRow,
  openText,
  verificationOf,
} from "./kyc-row.ts";
import { applyKycFact, decideKyc, expireKyc, fallSilent, forgetKyc, type KycReviewed } from "./move-kyc.ts";
import { submitKyc, type Submission } from "./submit-kyc.ts";
import type { IdentityTables, KycStatus } from "./tables.ts";

export type { KycVerification } from "./kyc-row.ts";

type KycOutcome = "verified" | "rejected" | "review_required";

type KycFilter = {
  reference?: string | undefined;
  status?: KycStatus | undefined;
  externalId?: string | undefined;
};

/** Changes must run in a transaction, in which work is armed and facts are received, too. */
export type KycVerifications = ReturnType<typeof createKycVerifications>;

export function createKycVerifications(db: Kysely<IdentityTables>, deps: KycVerificationDeps) {
  const { cipher, inAccount } = deps;
  const select = () => db.selectFrom("kyc_verifications").selectAll();
  const list = prepareFilteredPages(db, select, {
    ...{ name: "kyc-verifications", cursors: deps.cursors, toItem: verificationOf },
    // A reference may contain a space, so it comes last.
    both: sql`((status || ' ' || reference) collate "C")`,
  });
  return {
    /**
     * Refuses when there is no engine, for a used external id, for a reference with an open one, and after too many
     * attempts.
     */
    create: async (input: Submission) => {
      requirePort(deps.ports, "kycEngine");
      return inAccount(db, input.accountId, (trx) => submitKyc(trx, deps, input));
    },
    get: (own: Own) => findOwn(select(), own, verificationOf),
    /** Includes the reason of the decision, decrypted: only for callers who may decide. */
    getWithReason: async (own: Own) => {
      const row = await findRow(db, own);
      return row
        ? {
            verification: verificationOf(row),
            reason: row.reason && openText(cipher, { field: "reason", ...own }, row.reason),
          }
        : null;
    },
    list: ({ reference, status, ...request }: { accountId: string } & KycFilter & PageRequest) =>
      list(request, { status, reference }),
    /** Refuses one that is not under review, and one whose time for a review has ended. */
    decide: (decision: KycReviewed) => inAccount(db, decision.accountId, (trx) => decideKyc(trx, deps, decision)),
    /** Refuses one that is open. A second call changes nothing. */
    deletePersonalData: (own: Own) =>
      inAccount(db, own.accountId, (trx) => forgetKyc(trx, deps, { ...own, at: trx.now })),
    /** For code that relies on it: verified, and not expired. */
    isValid: async ({ at, ...own }: Own & { at: Date }) => {
      const row = await findRow(db, own);
      return row?.status === "verified" && row.valid_until !== null && row.valid_until >= at;
    },
    /** Reports a fact instead of the engine. Refuses one that is not being checked. */
    simulate: (input: Own & { outcome: KycOutcome }) =>
      inAccount(db, input.accountId, (trx) => simulate(trx, deps, input)),
    /** The data to check, decrypted: only for the engine. Null when there is nothing left to check. */
    findSubmitted: async (own: Own) => {
      const row = await findRow(db, own);
      return row?.status === "submitted" && row.personal
        ? // `submitKyc` sealed this type.
          (JSON.parse(openText(cipher, { field: "personal data", ...own }, row.personal)) as KycPersonal)
        : null;
    },
    apply: (fact: Fact) => inAccount(db, fact.accountId, (trx) => applyKycFact(trx, deps, fact)),
    /** The engine was silent: a review becomes necessary, unless the checks have ended meanwhile. */
    fallSilent: (input: Own & { at: Date }) => inAccount(db, input.accountId, (trx) => fallSilent(trx, deps, input)),
    /** No reviewer decided in time: it is rejected, unless a decision was made meanwhile. */
    expire: (input: Own & { at: Date }) => inAccount(db, input.accountId, (trx) => expireKyc(trx, deps, input)),
    /** The retention time of the personal data has ended. */
    forget: async (input: Own & { at: Date }) => {
      await inAccount(db, input.accountId, (trx) => forgetKyc(trx, deps, input));
    },
    eraseTexts: (accountId: string) => eraseTexts(db, accountId),
  };
}

function eraseTexts(db: Kysely<IdentityTables>, accountId: string): Promise<void> {
  return changeAll(
    db.updateTable("kyc_verifications").set({
      reference: "",
      external_id: null,
      metadata: "{}",
      personal: null,
      reason: null,
      personal_deleted_at: sql`coalesce(personal_deleted_at, gateway_now())`,
    }),
    accountId,
  );
}

/** Fact ids of a simulated engine. A simulated outcome has the id of the planned fact, and so replaces it. */
export const kycFactIds = { check: (verificationId: string) => `check of ${verificationId}` };

const facts: Readonly<Record<KycOutcome, (verificationId: string) => KycFact>> = {
  verified: (verificationId) => ({ type: "passed", verificationId }),
  rejected: (verificationId) => ({ type: "failed", verificationId, check: "document", code: "document_refused" }),
  review_required: (verificationId) => ({
    type: "unclear",
    verificationId,
    checks: [{ check: "document", code: "document_refused" }],
  }),
};

async function simulate(
  trx: Kysely<IdentityTables>,
  { recordAudit, work }: KycVerificationDeps,
  { outcome, ...own }: Own & { outcome: KycOutcome },
): Promise<KycVerification | null> {
  const { accountId } = own;
  const factId = kycFactIds.check(own.id);
  await work.plannedFacts.hold({ accountId, port: "kycEngine", factIds: [factId] });
  const row = await lockRow(trx, own);
  if (!row) {
    return null;
  }
  if (row.status !== "submitted") {
    throw new Problem("INVALID_STATE", `The kyc verification ${own.id} is ${row.status}, and is not being checked.`);
  }
  await work.plannedFacts.tellInstead({ port: "kycEngine", factId, accountId, fact: facts[outcome](own.id) });
  await recordAudit(trx, { accountId, type: "kyc_verification.simulated", resourceId: own.id, after: { outcome } });
  const moved = await findRow(trx, own);
  return moved ? verificationOf(moved) : null;
}
