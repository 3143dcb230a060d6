import type { Kysely } from "kysely";
import { createDueWork, type DueWork } from "./due-work.ts";
import { createInbox, type Inbox, type InboxDeps } from "./inbox.ts";
import { createPlannedFacts, type PlannedFacts } from "./planned-facts.ts";
import type { WorkTables } from "./tables.ts";
import { createWorkQueue, type WorkQueue, type WorkQueueDeps } from "./work-queue.ts";

export { catchUpKind, moveWorkItems } from "./due-work.ts";
export { workLeaseMs, type WorkItem } from "./claim-work.ts";
export type { FactRoute, WorkContext, WorkHandler, WorkHandlers } from "./handler.ts";
export type { Fact, FactReceipt, FactVerdict, Inbox, OpenFact } from "./inbox.ts";
export { tellFactKind } from "./planned-facts.ts";
export type { FactContent, WorkTables } from "./tables.ts";
export { alarmingAttempts, retryWaitMs, workDueChannel, type WorkQueue } from "./work-queue.ts";

export type WorkService = { queue: WorkQueue; due: DueWork; inbox: Inbox; plannedFacts: PlannedFacts };

export type WorkDeps = InboxDeps & WorkQueueDeps;

export function createWork(db: Kysely<WorkTables>, deps: WorkDeps): WorkService {
  const inbox = createInbox(db, deps);
  const plannedFacts = createPlannedFacts(db, { ...deps, inbox });
  return { queue: createWorkQueue(db, deps), due: createDueWork(db, deps), inbox, plannedFacts };
}
