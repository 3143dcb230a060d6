import { presentPriceSigningKey } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listPriceSigningKeys: OperationHandler<"listPriceSigningKeys"> = async ({ input, deps }) => {
  const page = await deps.oracle.signingKeys.list(input.query);
  return {
    status: 200,
    data: page.items.map(presentPriceSigningKey),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
