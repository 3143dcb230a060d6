import type { Kysely } from "kysely";
import { createKycVerifications } from "./kyc-verification.ts";
import type { KycVerificationDeps } from "./kyc-row.ts";
import type { IdentityTables } from "./tables.ts";

export { kycRoute, kycWork } from "./kyc-work.ts";
export { kycFactIds } from "./kyc-verification.ts";
export type { KycVerification } from "./kyc-verification.ts";
export { presentKycVerification } from "./present-kyc-verification.ts";
export type { IdentityTables } from "./tables.ts";

export type Identity = ReturnType<typeof createIdentity>;

export function createIdentity(db: Kysely<IdentityTables>, deps: KycVerificationDeps) {
  return { verifications: createKycVerifications(db, deps) };
}
