import { runWorkItem } from "@gateway/platform/compose/run-work-item";
import { workHandlers } from "@gateway/platform/compose/work-handlers";
import type { TestGateway } from "./test-gateway.ts";

/** Runs a work item like a worker, now, whatever its time. */
export async function fireTimer(
  { database, platform }: Pick<TestGateway, "database" | "platform">,
  { kind, subjectId }: { kind: string; subjectId: string },
): Promise<void> {
  const row = await database.kysely
    .updateTable("work_items")
    .set({ lease: crypto.randomUUID(), attempts: 1 })
    .where("kind", "=", kind)
    .where("subject_id", "=", subjectId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const handler = workHandlers[kind];
  if (!handler) {
    throw new Error(`Nothing does the work ${kind}.`);
  }
  const item = {
    accountId: row.account_id,
    id: row.id,
    kind,
    subjectId,
    firesAt: row.fires_at,
    lease: row.lease ?? "",
    attempts: row.attempts,
  };
  const { nowMs } = await platform.gateway.sandboxClocks.get(item.accountId);
  await runWorkItem(platform.workContext({ ...item, firesAt: new Date(nowMs) }), handler, item);
}
