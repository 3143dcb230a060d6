import type { Schemas } from "@gateway/contract";
import type { AuditEvent } from "./audit-event.ts";

export function presentAuditEvent(event: AuditEvent): Schemas["AuditEvent"] {
  return {
    ...event,
    // What only operators are told of belongs to no account.
    type: event.type as Schemas["AuditEventType"],
    createdAt: event.createdAt.toISOString(),
  };
}
