import { presentRequestLog, presentRequestLogGap, viewerOf } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listRequestLogs: OperationHandler<"listRequestLogs"> = async ({ input, principal, deps }) => {
  const page = await deps.requestLog.list({ ...viewerOf(principal), ...input.query });
  return {
    status: 200,
    data: page.items.map(presentRequestLog),
    meta: {
      hasMore: page.nextCursor !== null,
      nextCursor: page.nextCursor,
      gaps: page.gaps.map(presentRequestLogGap),
    },
  };
};
