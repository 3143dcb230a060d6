import type { Schemas } from "@gateway/contract";
import type { AuditEvent } from "./audit-event.ts";

export function presentAuditEvent(event: AuditEvent): Schemas["AuditEvent"] {
  return {
    ...event,
    // Events for operators only do not belong to an account.
    type: event.type as Schemas["AuditEventType"],
    createdAt: event.createdAt.toISOString(),
  };
}
