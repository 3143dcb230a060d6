import type { OutsidePorts } from "@gateway/ports";
import type { WorkItem } from "./claim-work.ts";
import type { Fact, FactVerdict } from "./inbox.ts";
import type { FactContent } from "./tables.ts";
import type { AnyNeed } from "../readings.ts";

/**
 * Runs in the transaction that holds the item. Returns when it fires again, in the account's time, or null when done.
 */
export type WorkTransition<Services> = (services: Services) => Promise<Date | null>;

/** `transaction` is the item's own or the advance's. Needs are read before it opens, but not in an advance. */
export type WorkContext<Services> = {
  transaction<Result>(
    work: (services: Services) => Promise<Result>,
    options?: { needs?: readonly AnyNeed[] },
  ): Promise<Result>;
  ports: OutsidePorts;
  /** Alerts operators to a lasting condition that a person has to examine. */
  alarm?: (message: string) => void;
};

/** May call its port for at most 20 s, and again after a crash. The port must know by our id what it has done. */
export type WorkHandler<Services, Context = WorkContext<Services>> = (
  item: WorkItem,
  context: Context,
) => Promise<WorkTransition<Services>>;

export type WorkHandlers<Services, Context = WorkContext<Services>> = Readonly<
  Record<string, WorkHandler<Services, Context>>
>;

/** The service that accepts the facts of a port, and how it applies them. */
export type FactRoute<Services> = {
  /** The subject of a fact. It is known before the subject exists, because facts may come in any order. */
  subjectOf(content: FactContent): string;
  /** Runs in the transaction of its receipt. It locks the subject first, and keeps it locked whatever it returns. */
  apply(services: Services, fact: Fact): Promise<FactVerdict>;
};
