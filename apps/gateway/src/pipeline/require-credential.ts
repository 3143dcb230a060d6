import type { OperationPolicy } from "@gateway/contract";
import type { RequestHandler } from "express";
import { principalOf, throwNoted } from "./call.ts";

/** After this stage the request has a principal, and an operation, whose policy comes from the document. */
export function requireCredential(operation: OperationPolicy): RequestHandler {
  return (req, _res, next) => {
    req.call.operation = operation;
    throwNoted(req, "require-credential");
    principalOf(req);
    next();
  };
}
