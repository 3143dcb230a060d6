import type { WorkContext, WorkHandler, WorkHandlers, WorkItem } from "@gateway/engine/work";
import type { PortfolioService } from "../portfolio/index.ts";
import type { Services } from "./may-call.ts";

/** The portfolio works outside a transaction or in the advance's, because it requests prices and writes in steps. */
export type PlatformContext = WorkContext<Services> & { portfolio: PortfolioService };

export type PlatformHandler = WorkHandler<Services, PlatformContext>;
export type PlatformHandlers = WorkHandlers<Services, PlatformContext>;

/** `lost`: another process has the item by now, and nothing was done. */
export type WorkOutcome = "done" | "rearmed" | "lost";

/** Throws for an unknown kind: the next release may have armed an item that this program does not know. */
export function handlerOf({ kind }: Pick<WorkItem, "kind">, handlers: PlatformHandlers): PlatformHandler {
  const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
  if (!handler) {
    throw new Error(`This program knows no work of the kind ${JSON.stringify(kind)}.`);
  }
  return handler;
}

/** Rejects with nothing recorded, even when its port was already called. */
export async function runWorkItem(
  context: PlatformContext,
  handler: PlatformHandler,
  item: WorkItem,
): Promise<WorkOutcome> {
  const transition = await handler(item, context);
  return context.transaction(async (services) => {
    const { queue } = services.work;
    if (!(await queue.hold(item))) {
      return "lost";
    }
    const firesAt = await transition(services);
    await (firesAt ? queue.rearm(item, firesAt) : queue.end(item));
    return firesAt ? "rearmed" : "done";
  });
}
