import type { Kysely } from "kysely";
import { datedAudit } from "../audit/index.ts";
import { createDatedPartitions } from "@gateway/engine/dated-tables";
import { datedEvents } from "../events/index.ts";
import { datedRequests } from "../request-log/index.ts";

export async function createPartitions<Tables>(db: Kysely<Tables>, { nowMs }: { nowMs: number }): Promise<void> {
  await createDatedPartitions(db, datedEvents, nowMs);
  await createDatedPartitions(db, datedAudit, nowMs);
  await createDatedPartitions(db, datedRequests, nowMs);
}
