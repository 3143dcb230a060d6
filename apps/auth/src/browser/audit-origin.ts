import type { AuditOrigin } from "@gateway/platform/audit";
import type { Request } from "express";

/**
 * Somebody at our pages. Without `personId`, which person of which account they are, those say who record what they
 * did.
 */
export function auditOriginOf({ ip }: Pick<Request, "ip">, personId: string | null = null): AuditOrigin {
  return { actor: { type: "person", id: personId, applicationId: null }, clientAddress: ip ?? null, requestId: null };
}
