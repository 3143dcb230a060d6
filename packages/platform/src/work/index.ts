import type { Kysely } from "kysely";
import { createInbox, type Inbox, type InboxDeps } from "./inbox.ts";
import type { WorkTables } from "./tables.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

export { workLeaseMs, type WorkItem } from "./claim-work.ts";
export type { Fact, FactReceipt, FactVerdict, Inbox, InboxMeasures, OpenFact } from "./inbox.ts";
export type { FactContent, WorkTables } from "./tables.ts";
export { alarmingAttempts, retryWaitMs, workDueChannel, type WorkQueue, type WorkQueueMeasures } from "./work-queue.ts";

/** What time and the outside cause. */
export type WorkService = { queue: WorkQueue; inbox: Inbox };

export function createWork(db: Kysely<WorkTables>, deps: InboxDeps): WorkService {
  return { queue: createWorkQueue(db, deps), inbox: createInbox(db, deps) };
}
