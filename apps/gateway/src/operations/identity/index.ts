export { createKycVerification } from "./create-kyc-verification.ts";
export { decideKycVerification } from "./decide-kyc-verification.ts";
export { deleteKycPersonalData } from "./delete-kyc-personal-data.ts";
export { getKycVerification } from "./get-kyc-verification.ts";
export { listKycVerifications } from "./list-kyc-verifications.ts";
export { simulateKycVerification } from "./simulate-kyc-verification.ts";
