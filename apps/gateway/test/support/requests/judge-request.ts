import { Problem, type OperationPolicy, type ProblemDetail } from "@gateway/contract";
import type { Request, Response } from "express";
import type { Call } from "../../../src/pipeline/call.ts";
import { validateRequest, type RequestChecks } from "../../../src/pipeline/validate-request.ts";
import type { RequestParts } from "./request-parts.ts";

/** The query and body that the stage hands on, or the details of its refusal. */
export type Judgement = { details: readonly ProblemDetail[] } | { details: null; query: unknown; body: unknown };

export type JudgeRequest = (request: RequestParts) => Judgement;

/** Calls the gateway's own validating stage in process, with the request that the earlier stages would leave. */
export function createJudge(operation: OperationPolicy, checks: RequestChecks): JudgeRequest {
  const stage = validateRequest(operation, checks);
  return ({ headers, params, body, ...target }) => {
    // The fields that the stage reads and writes. It writes defaults into the body, so it gets a copy.
    const call: Pick<Call, "body" | "input" | "approvedFor"> = {
      body: { bytes: Buffer.alloc(0), json: copyOf(body) },
      input: null,
      approvedFor: null,
    };
    const req = { originalUrl: targetOf(operation, target), headers, params, call };
    let isDone = false;
    try {
      stage(req as unknown as Request, {} as Response, () => (isDone = true));
    } catch (error) {
      if (error instanceof Problem && error.code === "INVALID_REQUEST") {
        return { details: error.details };
      }
      throw error;
    }
    if (!isDone || call.approvedFor !== operation) {
      throw new Error(`A request to ${operation.operationId} was neither refused nor approved.`);
    }
    return { details: null, query: call.input?.query, body: call.input?.body };
  };
}

function targetOf(
  { path }: OperationPolicy,
  { query, ampersands }: Pick<RequestParts, "query" | "ampersands">,
): string {
  const pairs = query.map(([name, text]) => `${encode(name)}=${encode(text)}`);
  return pairs.length > 0 ? `${path}?${"&".repeat(ampersands)}${pairs.join("&")}` : path;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Copies a value as JSON.parse would make it: every member is an own one, also `__proto__`. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copyOf);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copyOf(entry)]))
    : value;
}
