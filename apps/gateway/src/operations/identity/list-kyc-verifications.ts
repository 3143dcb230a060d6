import { presentKycVerification } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listKycVerifications: OperationHandler<"listKycVerifications"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.identity.verifications.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentKycVerification),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
