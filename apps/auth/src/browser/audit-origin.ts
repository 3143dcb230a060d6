import type { AuditOrigin } from "@gateway/platform/audit";
import type { Request } from "express";

/** A visitor of our pages. Without `personId`, the caller records who it is. */
export function auditOriginOf({ ip }: Pick<Request, "ip">, personId: string | null = null): AuditOrigin {
  return { actor: { type: "person", id: personId, applicationId: null }, clientAddress: ip ?? null, requestId: null };
}
