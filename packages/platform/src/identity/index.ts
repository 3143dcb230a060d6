import type { Kysely } from "kysely";
import { createKycVerifications, type KycVerificationDeps, type KycVerifications } from "./kyc-verification.ts";
import type { IdentityTables } from "./tables.ts";

export { kycRoute, kycWork } from "./kyc-work.ts";
export { kycFactIds } from "./kyc-verification.ts";
export type { KycVerification } from "./kyc-verification.ts";
export { presentKycVerification } from "./present-kyc-verification.ts";
export type { IdentityTables } from "./tables.ts";

export type Identity = { verifications: KycVerifications };

export function createIdentity(db: Kysely<IdentityTables>, deps: KycVerificationDeps): Identity {
  return { verifications: createKycVerifications(db, deps) };
}
