import type { WorkHandlers } from "./run-work-item.ts";
import { tellFactKind } from "./work/index.ts";

/** Every kind of work of the product: what is armed by its name is done by it, by the worker or in the advance of a clock. */
export const workHandlers: WorkHandlers = {
  [tellFactKind]: async ({ accountId, subjectId }) => {
    return async ({ work }) => {
      await work.plannedFacts.tell({ accountId, id: subjectId });
      return null;
    };
  },
};
