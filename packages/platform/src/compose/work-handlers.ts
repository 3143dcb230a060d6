import { transferWork } from "../custody/index.ts";
import { orderWork } from "../execution/index.ts";
import { kycWork } from "../identity/index.ts";
import { paymentWork } from "../orchestra/index.ts";
import { portfolioWork } from "../portfolio/index.ts";
import type { PlatformHandlers } from "./run-work-item.ts";
import { catchUpKind, tellFactKind } from "@gateway/engine/work";

/** Every kind of work of the product, done by the worker or in the advance of a clock. */
export const workHandlers: PlatformHandlers = {
  ...kycWork,
  ...orderWork,
  ...paymentWork,
  ...portfolioWork,
  ...transferWork,
  [catchUpKind]: async ({ accountId }) => {
    return async ({ gateway }) => {
      const { nowMs, remaining } = await gateway.sandboxClocks.catchUp(accountId);
      return remaining > 0 ? new Date(nowMs) : null;
    };
  },
  [tellFactKind]: async ({ accountId, subjectId }) => {
    return async ({ work }) => {
      await work.plannedFacts.tell({ accountId, id: subjectId });
      return null;
    };
  },
};
