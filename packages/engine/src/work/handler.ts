import type { OutsidePorts } from "@gateway/ports";
import type { WorkItem } from "./claim-work.ts";
import type { Fact, FactVerdict } from "./inbox.ts";
import type { FactContent } from "./tables.ts";
import type { AnyNeed } from "../readings.ts";

/**
 * What an item's time having come means, in the transaction that holds the item. Answers when the item fires again, in
 * the account's time, or null when it is done: also when the subject has moved on.
 */
export type WorkTransition<Services> = (services: Services) => Promise<Date | null>;

/** `transaction` is one of its own, or the advance's. Needs are asked for before it opens, but not in an advance. */
export type WorkContext<Services> = {
  transaction<Result>(
    work: (services: Services) => Promise<Result>,
    options?: { needs?: readonly AnyNeed[] },
  ): Promise<Result>;
  ports: OutsidePorts;
  /** Tells the operators what somebody has to look at, of something that goes on. */
  alarm?: (message: string) => void;
};

/**
 * One kind of work. Before its transition it may call its port, for at most 20 s; that happens again after a crash, so
 * the port must know by our id what it has done already.
 */
export type WorkHandler<Services, Context = WorkContext<Services>> = (
  item: WorkItem,
  context: Context,
) => Promise<WorkTransition<Services>>;

export type WorkHandlers<Services, Context = WorkContext<Services>> = Readonly<
  Record<string, WorkHandler<Services, Context>>
>;

/** Which service takes the facts of a port, and how. */
export type FactRoute<Services> = {
  /** What a fact is about: known before there is such a thing, for facts may come in any order. */
  subjectOf(content: FactContent): string;
  /** In the transaction of its receipt. It locks the subject first, and keeps it locked whatever it answers. */
  apply(services: Services, fact: Fact): Promise<FactVerdict>;
};
