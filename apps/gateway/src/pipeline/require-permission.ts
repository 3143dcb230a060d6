import { type OperationPolicy, Problem } from "@gateway/contract";
import { includesPermission, type Permission } from "@gateway/platform/accounts";
import type { RequestHandler } from "express";
import { insufficientScope } from "../credentials/challenge.ts";
import { principalOf, type Principal } from "./call.ts";

export function requirePermission(operation: OperationPolicy): RequestHandler {
  return (req, _res, next) => {
    const principal = principalOf(req);
    const { permission } = principal;
    if (permission === null || !includesPermission(permission, operation.permission)) {
      throw refuse(principal, operation.permission);
    }
    if (operation.limitStoreRequired && req.call.rateLimit?.isStoreAway) {
      throw new Problem(
        "UNAVAILABLE",
        "This operation waits for the shared rate limit store, which is unavailable. Try again in a moment.",
        {
          headers: { "Retry-After": "5" },
        },
      );
    }
    next();
  };
}

function refuse({ permission, credential }: Principal, needed: Permission): Problem {
  if (credential.kind === "apiKey") {
    return new Problem("FORBIDDEN", `This needs a key with the permission ${needed}; this key has ${permission}.`);
  }
  return insufficientScope(
    permission === null
      ? `This needs the permission ${needed}; the application of this access token is registered for none.`
      : `This needs the permission ${needed}; this access token has ${permission}, the lowest of its scopes, its application's scopes and its user's role.`,
    needed,
  );
}
