import { presentKycVerification } from "@gateway/platform/identity";
import type { OperationHandler } from "../operation.ts";

export const createKycVerification: OperationHandler<"createKycVerification"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const verification = await deps.identity.verifications.create({ accountId, ...input.body });
  return { status: 201, data: presentKycVerification(verification) };
};
