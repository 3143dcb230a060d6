import { Problem } from "@gateway/contract";
import { viewerOf } from "@gateway/platform/compose/viewer-of";
import { presentKeptRequest } from "@gateway/platform/request-log";
import type { OperationHandler } from "../operation.ts";

export const getRequestLog: OperationHandler<"getRequestLog"> = async ({ input, principal, deps }) => {
  const { requestId } = input.path;
  const request = await deps.requestLog.get({ ...viewerOf(principal), id: requestId });
  if (!request) {
    throw new Problem(
      "NOT_FOUND",
      "There is no request with this id in this account, or it was made within the last second.",
    );
  }
  const eventIds = await deps.events.idsOfRequest({ accountId: principal.accountId, requestId });
  return { status: 200, data: { ...presentKeptRequest(request), eventIds } };
};
