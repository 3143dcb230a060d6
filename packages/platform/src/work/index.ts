import type { Kysely } from "kysely";
import type { CreateId } from "../id.ts";
import type { WorkTables } from "./tables.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

export { workLeaseMs, type WorkItem } from "./claim-work.ts";
export type { WorkTables } from "./tables.ts";
export { alarmingAttempts, retryWaitMs, workDueChannel, type WorkQueueMeasures, type WorkQueue } from "./work-queue.ts";

/** What time causes. */
export type WorkService = { queue: WorkQueue };

export function createWork(db: Kysely<WorkTables>, deps: { createId: CreateId }): WorkService {
  return { queue: createWorkQueue(db, deps) };
}
