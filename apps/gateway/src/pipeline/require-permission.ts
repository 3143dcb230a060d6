import type { OperationPolicy } from "@gateway/contract";
import { Problem } from "@gateway/kernel";
import { includesPermission } from "@gateway/platform";
import type { RequestHandler } from "express";

/** Stage 5. From here on the request has an operation: its permission and its needs come from the document. */
export function requirePermission(operation: OperationPolicy): RequestHandler {
  return (req, _res, next) => {
    const { call } = req;
    call.operation = operation;
    if (!call.principal) {
      throw call.credentialProblem ?? new Error("The request was not authenticated.");
    }
    if (!includesPermission(call.principal.permission, operation.permission)) {
      throw new Problem(
        "FORBIDDEN",
        `This needs a key with the permission ${operation.permission}; this key has ${call.principal.permission}.`,
      );
    }
    if (operation.limitStoreRequired && call.rateLimit?.isStoreAway) {
      throw new Problem(
        "UNAVAILABLE",
        "This operation waits for the shared rate limit store, which is away. Try again in a moment.",
        {
          headers: { "Retry-After": "5" },
        },
      );
    }
    next();
  };
}
