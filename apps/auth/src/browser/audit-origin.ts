import type { AuditOrigin } from "@gateway/platform";
import type { Request } from "express";

/** Somebody at our pages. Which person of which account they are, those say who record what they did. */
export function auditOriginOf({ ip }: Pick<Request, "ip">): AuditOrigin {
  return { actor: { type: "person", id: null, applicationId: null }, clientAddress: ip ?? null, requestId: null };
}
