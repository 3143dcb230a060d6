import type { EventsDeps } from "./event.ts";
import { deleteOldest } from "@gateway/database";
import { invalidField, type EventValue, type EventType } from "@gateway/contract";
import { createEnvelope } from "@gateway/webhooks";
import { sql, type Kysely } from "kysely";
import { eventLifetimeMs } from "./event-partitions.ts";
import { createRecorder } from "./event.ts";
import type { EventsTables } from "./tables.ts";

type ToldEvent = {
  accountId: string;
  service: string;
  toldId: string;
  type: EventType;
  object: Record<string, unknown>;
};

export type ToldEvents = ReturnType<typeof createToldEvents>;

export function createToldEvents(db: Kysely<EventsTables>, deps: EventsDeps) {
  const recorder = createRecorder(deps);
  return {
    /** Once for an account, service and `toldId`, within 30 days. Refuses what does not fit the document. */
    record: ({ accountId, service, toldId, type, object }: ToldEvent) => {
      refuseUnfit(deps, { type, object });
      return deps.inAccount(db, accountId, async (trx) => {
        const one = JSON.stringify([accountId, service, toldId]);
        await sql`select pg_advisory_xact_lock(hashtextextended(${`told ${one}`}, 0))`.execute(trx);
        const known = await trx
          .selectFrom("upstream_events")
          .select("event_id")
          .where("account_id", "=", accountId)
          .where("service", "=", service)
          .where("told_id", "=", toldId)
          .executeTakeFirst();
        if (known) {
          return { eventId: known.event_id, isNew: false };
        }
        // The rules of events have just held it against the document.
        const [event] = await recorder.record(trx, [{ type, object } as EventValue]);
        const id = event?.id ?? "";
        await trx
          .insertInto("upstream_events")
          .values({
            ...{ account_id: accountId, service, told_id: toldId, event_id: id },
            created_at: new Date(deps.clock.now()),
          })
          .execute();
        return { eventId: id, isNew: true };
      });
    },
    deleteExpired: (limit: number) => {
      const until = new Date(deps.clock.now() - eventLifetimeMs);
      return deleteOldest(db, { from: "upstream_events", by: "created_at", until, limit });
    },
  };
}

/** Before anything is written; the fault names places and rules, no values. */
function refuseUnfit(
  { createId, clock, eventRules, livemode }: EventsDeps,
  { type, object }: Pick<ToldEvent, "type" | "object">,
): void {
  const created = new Date(clock.now());
  try {
    eventRules.checkEvent(type, createEnvelope({ id: createId("evt"), type, created, object, livemode }));
  } catch (error) {
    throw invalidField("object", error instanceof Error ? error.message : "does not fit the document");
  }
}
