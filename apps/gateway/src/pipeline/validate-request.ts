import { type OperationPolicy, invalidFields } from "@gateway/contract";
import type { Request, RequestHandler } from "express";
import { maxIssues } from "../validation/field-issues.ts";
import type { RequestCheck } from "../validation/request-check.ts";
import { findUnstorableText } from "../validation/unstorable-text.ts";

/** A check for each operation, by operationId. */
export type RequestChecks = ReadonlyMap<string, RequestCheck>;

/**
 * Approves the request for this operation alone. The schemas bound the body before it is searched for text that
 * Postgres cannot store.
 */
export function validateRequest(operation: OperationPolicy, checks: RequestChecks): RequestHandler {
  const check = checks.get(operation.operationId);
  if (!check) {
    throw new Error(`The document has no check for ${operation.operationId}.`);
  }
  return (req, _res, next) => {
    const { call, originalUrl: target, headers } = req;
    const path = pathOf(req);
    const body = call.body?.json;
    const { issues, query } = check({ target, headers, params: path, body });
    const details = issues.length > 0 ? issues : findUnstorableText(body).slice(0, maxIssues);
    if (details.length > 0) {
      throw invalidFields(details);
    }
    call.input = { path, query, body };
    call.approvedFor = operation;
    next();
  };
}

function pathOf(req: Request): Record<string, string> {
  // Routes of the document have no repeated parameters, so each is one string.
  return req.params as Record<string, string>;
}
