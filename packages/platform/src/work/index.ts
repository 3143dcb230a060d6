import type { Kysely } from "kysely";
import type { AccountTime } from "../account-time.ts";
import { createInbox, type Inbox, type InboxDeps } from "./inbox.ts";
import { createPlannedFacts, type PlannedFacts } from "./planned-facts.ts";
import type { WorkTables } from "./tables.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

export { workLeaseMs, type WorkItem } from "./claim-work.ts";
export type { Fact, FactReceipt, FactVerdict, Inbox, InboxMeasures, OpenFact } from "./inbox.ts";
export { tellFactKind } from "./planned-facts.ts";
export type { FactContent, WorkTables } from "./tables.ts";
export { alarmingAttempts, retryWaitMs, workDueChannel, type WorkQueue, type WorkQueueMeasures } from "./work-queue.ts";

/** What time and the outside cause. */
export type WorkService = { queue: WorkQueue; inbox: Inbox; plannedFacts: PlannedFacts };

export function createWork(db: Kysely<WorkTables>, deps: InboxDeps & { accountTime: AccountTime }): WorkService {
  const inbox = createInbox(db, deps);
  return { queue: createWorkQueue(db, deps), inbox, plannedFacts: createPlannedFacts(db, { ...deps, inbox }) };
}
