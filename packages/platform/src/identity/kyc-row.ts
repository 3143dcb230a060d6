import { nounOf } from "@gateway/engine/noun";
import type { Cipher } from "@gateway/kernel";
import { isOwn, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { WorkService } from "@gateway/engine/work";
import type { KycDocument, KycSubject, OutsidePorts } from "@gateway/ports";
import type { NounDeps } from "../audit/index.ts";
import type { Recorder } from "../events/index.ts";
import type { IdentityTables } from "./tables.ts";

export const kycKinds = {
  check: "kyc.check",
  silence: "kyc.silence",
  undecided: "kyc.undecided",
  forget: "kyc.forget",
} as const;

export type KycVerificationDeps = NounDeps & {
  recorder: Recorder;
  ports: Pick<OutsidePorts, "kycEngine">;
  work: Pick<WorkService, "queue" | "inbox" | "plannedFacts">;
};

/** Without personal data. */
export type KycVerification = ReturnType<typeof verificationOf>;

/** Submitted personal data. Only the engine receives it from the row. */
export type KycPersonal = { subject: KycSubject; documents: readonly KycDocument[] };

export type KycRow = Selectable<IdentityTables["kyc_verifications"]>;

export function verificationOf({ reference, personal: _data, reason: _reason, ...row }: KycRow) {
  const { previous_id: previousVerificationId, personal_deleted_at: personalDataDeletedAt, ...columns } = row;
  return {
    ...nounOf(columns),
    reference: reference === "" ? null : reference,
    previousVerificationId,
    personalDataDeletedAt,
  };
}

export function findRow(db: Kysely<IdentityTables>, { id, accountId }: Own): Promise<KycRow | undefined> {
  return ofOwn(db, { id, accountId }).executeTakeFirst();
}

export function lockRow(trx: Kysely<IdentityTables>, own: Own): Promise<KycRow | undefined> {
  return ofOwn(trx, own).forNoKeyUpdate().executeTakeFirst();
}

function ofOwn(db: Kysely<IdentityTables>, own: Own) {
  return db.selectFrom("kyc_verifications").selectAll().where(isOwn(own));
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
