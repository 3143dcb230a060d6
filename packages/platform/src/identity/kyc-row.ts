import type { Cipher } from "@gateway/kernel";
import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { WorkService } from "@gateway/engine/work";
import type { KycDocument, KycSubject, OutsidePorts } from "@gateway/ports";
import type { NounDeps } from "../audit/index.ts";
import type { Recorder } from "../events/index.ts";
import type { IdentityTables, KycCheck, KycDecidedBy, KycRejectionCode, KycStatus } from "./tables.ts";

export const kycKinds = {
  check: "kyc.check",
  silence: "kyc.silence",
  undecided: "kyc.undecided",
  forget: "kyc.forget",
} as const;

export type KycVerificationDeps = Pick<NounDeps, "cipher" | "createId" | "cursors" | "inAccount" | "recordAudit"> & {
  recorder: Recorder;
  ports: Pick<OutsidePorts, "kycEngine">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
};

export type KycVerification = {
  id: string;
  reference: string | null;
  externalId: string | null;
  status: KycStatus;
  checks: KycCheck[];
  rejectionCode: KycRejectionCode | null;
  previousVerificationId: string | null;
  decidedBy: KycDecidedBy | null;
  metadata: Record<string, string>;
  createdAt: Date;
  decidedAt: Date | null;
  validUntil: Date | null;
  personalDataDeletedAt: Date | null;
};

/** Submitted personal data. Only the engine receives it from the row. */
export type KycPersonal = { subject: KycSubject; documents: readonly KycDocument[] };

export type KycRow = Selectable<IdentityTables["kyc_verifications"]>;

export function verificationOf(row: KycRow): KycVerification {
  return {
    id: row.id,
    reference: row.reference === "" ? null : row.reference,
    externalId: row.external_id,
    status: row.status,
    checks: row.checks,
    rejectionCode: row.rejection_code,
    previousVerificationId: row.previous_id,
    decidedBy: row.decided_by,
    metadata: row.metadata,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    validUntil: row.valid_until,
    personalDataDeletedAt: row.personal_deleted_at,
  };
}

export function findRow(db: Kysely<IdentityTables>, { id, accountId }: Own): Promise<KycRow | undefined> {
  return ofOwn(db, { id, accountId }).executeTakeFirst();
}

export function lockRow(trx: Kysely<IdentityTables>, own: Own): Promise<KycRow | undefined> {
  return ofOwn(trx, own).forNoKeyUpdate().executeTakeFirst();
}

function ofOwn(db: Kysely<IdentityTables>, { id, accountId }: Own) {
  return db.selectFrom("kyc_verifications").selectAll().where("account_id", "=", accountId).where("id", "=", id);
}

export function isOpen({ status }: Pick<KycRow, "status">): boolean {
  return status === "submitted" || status === "review_required";
}

/** Binds a sealed text to its row: it does not open in the row of another verification or account. */
type Sealed = { field: "personal data" | "reason" } & Own;

export function sealText(cipher: Cipher, { field, accountId, id }: Sealed, text: string): Buffer {
  return cipher.seal(Buffer.from(text), `kyc ${field} ${accountId} ${id}`);
}

export function openText(cipher: Cipher, { field, accountId, id }: Sealed, sealed: Buffer): string {
  return cipher.open(sealed, `kyc ${field} ${accountId} ${id}`).toString();
}

/** Serializes submissions for a reference, even before it has a row. */
export async function lockReference(
  trx: Kysely<IdentityTables>,
  { accountId, reference }: { accountId: string; reference: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`kyc ${accountId} ${reference}`}, 0))`.execute(trx);
}
