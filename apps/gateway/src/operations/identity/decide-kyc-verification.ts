import { presentKycVerification } from "@gateway/platform/identity";
import type { OperationHandler } from "../operation.ts";
import { found } from "../no-such.ts";

export const decideKycVerification: OperationHandler<"decideKycVerification"> = async ({ input, principal, deps }) => {
  const { accountId, credential } = principal;
  const verification = await deps.identity.verifications.decide({
    id: input.path.kycVerificationId,
    accountId,
    ...input.body,
    decidedBy:
      credential.kind === "apiKey"
        ? { kind: "apiKey", id: credential.apiKeyId }
        : { kind: "person", id: credential.personId },
  });
  return { status: 200, data: presentKycVerification(found("identity verification", verification)) };
};
