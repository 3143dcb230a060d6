import { invalidField } from "@gateway/contract";
import { viewerOf } from "@gateway/platform/compose/viewer-of";
import { presentRequestLogGap, presentUsage, type UsageGroup } from "@gateway/platform/request-log";
import type { OperationHandler } from "../operation.ts";

export const getUsage: OperationHandler<"getUsage"> = async ({ input, principal, deps }) => {
  const { groupBy, ...range } = input.query;
  // The document's pattern allows no other values.
  const groups = (groupBy?.split(",") ?? []) as UsageGroup[];
  if (new Set(groups).size < groups.length) {
    throw invalidField("groupBy", "must not name the same twice");
  }
  const usage = await deps.requestLog.usage.get({ ...viewerOf(principal), ...range, groupBy: groups });
  return { status: 200, data: presentUsage(usage), meta: { gaps: usage.gaps.map(presentRequestLogGap) } };
};
