import type { OperationPolicy } from "@gateway/contract";
import type { RequestHandler } from "express";
import { principalOf, throwNoted } from "./call.ts";

/** From here on the request has an operation, whose policy comes from the document, and somebody who calls it. */
export function requireCredential(operation: OperationPolicy): RequestHandler {
  return (req, _res, next) => {
    req.call.operation = operation;
    throwNoted(req, "require-credential");
    principalOf(req);
    next();
  };
}
