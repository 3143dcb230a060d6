import { presentNetwork } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listNetworks: OperationHandler<"listNetworks"> = async ({ input, deps }) => {
  const page = deps.custody.networks.list(input.query);
  return {
    status: 200,
    data: page.items.map(presentNetwork),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
