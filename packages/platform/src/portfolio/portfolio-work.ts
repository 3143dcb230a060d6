import type { WorkContext, WorkHandlers } from "@gateway/engine/work";
import { followPortfolioKind, rebuildPortfolioKind } from "./portfolio-deps.ts";

/** Well within the time of a handler, including the last turn and its questions to the oracle. */
const busyMs = 8_000;

import type { Upkeep } from "./upkeep.ts";

type OwnContext = WorkContext<object> & { portfolio: { upkeep: Upkeep } };

/** Prices are read outside of the transition, and the results are written in turns of their own. */
export const portfolioWork: WorkHandlers<object, OwnContext> = {
  [followPortfolioKind]: async ({ accountId, firesAt }, { portfolio }) => {
    const nextAt = await portfolio.upkeep.follow({ accountId, busyMs });
    return async () => nextAt ?? firesAt;
  },
  [rebuildPortfolioKind]: async ({ accountId, firesAt }, { portfolio: { upkeep }, alarm }) => {
    if (!(await upkeep.countAgain({ accountId, busyMs }))) {
      return async () => firesAt;
    }
    const { checked, different, isDone } = await upkeep.checkValuations({ accountId, busyMs });
    if (different.length > 0) {
      alarm?.(
        `The portfolio of ${accountId} was rebuilt, and its valuations ${different.join(", ")} come to something else.`,
      );
    }
    if (!isDone) {
      alarm?.(
        `The portfolio of ${accountId} was rebuilt; of its valuations the first ${checked} were calculated again, in the time there was.`,
      );
    }
    return async () => null;
  },
};
