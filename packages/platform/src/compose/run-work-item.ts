import type { Platform } from "./platform.ts";
import type { Services } from "./may-call.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { WorkItem } from "@gateway/engine/work";

/**
 * What an item's time having come means, in the transaction that holds the item: it looks at the subject as it is now, moves it, posts,
 * records. Answers when the item fires again, in the account's time, or null when it is done: also when the subject has moved on.
 */
export type WorkTransition = (services: Services) => Promise<Date | null>;

/**
 * What a handler works with before its transition: `transaction` is one of its own, or the advance's of a clock, with the ports bound to it.
 * The portfolio is in none, or in the advance's: it asks for prices, and writes in turns of its own.
 */
export type WorkContext = Pick<Platform, "transaction" | "portfolio"> & {
  ports: OutsidePorts;
  /** Tells the operators what somebody has to look at, of something that goes on. */
  alarm?: (message: string) => void;
};

/**
 * One kind of work. Before its transition it may mark that it has begun and call its port, for at most 20 s; that happens again after
 * a crash, so the port must know by our id what it has done already. What it answers is then done once.
 */
export type WorkHandler = (item: WorkItem, context: WorkContext) => Promise<WorkTransition>;

/** By kind. */
export type WorkHandlers = Readonly<Record<string, WorkHandler>>;

/** `lost`: another has the item by now, and nothing was done. */
export type WorkOutcome = "done" | "rearmed" | "lost";

/** Throws when there is no such: a program of the release after may have armed what this one does not know. */
export function handlerOf({ kind }: Pick<WorkItem, "kind">, handlers: WorkHandlers): WorkHandler {
  const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
  if (!handler) {
    throw new Error(`This program knows no work of the kind ${JSON.stringify(kind)}.`);
  }
  return handler;
}

/** Rejects with nothing done, whatever its port was told. */
export async function runWorkItem(context: WorkContext, handler: WorkHandler, item: WorkItem): Promise<WorkOutcome> {
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
