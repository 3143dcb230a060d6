import type { OperationPolicy } from "@gateway/contract";
import type { RequestHandler } from "express";

/** From here on the request has an operation, whose policy comes from the document, and somebody who calls it. */
export function requireCredential(operation: OperationPolicy): RequestHandler {
  return ({ call }, _res, next) => {
    call.operation = operation;
    if (!call.principal) {
      throw call.credentialProblem ?? new Error("The request was not authenticated.");
    }
    next();
  };
}
