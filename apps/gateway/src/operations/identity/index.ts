import type { OperationsOf } from "../operation.ts";
import { createKycVerification } from "./create-kyc-verification.ts";
import { decideKycVerification } from "./decide-kyc-verification.ts";
import { deleteKycPersonalData } from "./delete-kyc-personal-data.ts";
import { getKycVerification } from "./get-kyc-verification.ts";
import { listKycVerifications } from "./list-kyc-verifications.ts";
import { simulateKycVerification } from "./simulate-kyc-verification.ts";

export const identityOperations = {
  createKycVerification,
  decideKycVerification,
  deleteKycPersonalData,
  getKycVerification,
  listKycVerifications,
  simulateKycVerification,
} satisfies OperationsOf<"identity">;
