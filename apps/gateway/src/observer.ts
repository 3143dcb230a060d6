import type { Problem } from "@gateway/contract";
import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import { createOutageLog } from "@gateway/process";
import type { Request, Response } from "express";
import type { GatewayMetrics } from "./metrics.ts";
import type { Call, Principal } from "./pipeline/call.ts";
import { createDescribeRequest } from "./request-log/describe-request.ts";
import type { RequestLogWriter } from "./request-log/request-log-writer.ts";

export interface GatewayObserver {
  requestBegun(call: Call): void;
  requestDone(req: Request, res: Response): void;
  /** The bytes received were not a request. The error's text may quote them, so only its code is logged. */
  unreadableRequest(requestId: string, problem: Problem, error: NodeJS.ErrnoException): void;
  /** The shared rate limit store did not count a request. */
  limitStoreFailed(error: unknown): void;
  /** The identity provider's keys could not be read; known keys still count. */
  keySetNotRead(error: unknown): void;
  /** An upstream's response was sent but not stored. The same key will reach the upstream again. */
  answerNotStored(operationId: string, error: unknown): void;
  /** A response did not fit the document, and was sent all the same. */
  responseMismatched(operationId: string, mismatch: Error): void;
}

/**
 * One log line and one measurement a request, without URL, header or body, because these may hold secrets. Unknown
 * paths share one label, so that no caller can grow the metrics. `requestLog` null: requests are not logged for
 * accounts.
 */
export function createGatewayObserver({
  logger,
  metrics,
  requestLog = null,
  unloggedAccountId = null,
}: {
  logger: Logger;
  metrics: GatewayMetrics;
  requestLog?: Pick<RequestLogWriter, "begin" | "end" | "endUnknown"> | null;
  unloggedAccountId?: string | null;
}): GatewayObserver {
  const outageLog = createOutageLog({ logger });
  const describeRequest = createDescribeRequest();
  const log = (req: Request, res: Response, durationMs: number): void => {
    const { call } = req;
    const line = lineOf(req, res, durationMs);
    if (isUnavailable(call.problem?.cause)) {
      outageLog.failed(call.problem?.cause);
      logger.info(line, "request");
    } else if (call.problem && call.problem.status >= 500) {
      logger.error({ ...line, err: call.problem.cause ?? call.problem }, "request failed");
    } else {
      logger.info(line, "request");
    }
  };
  return {
    requestBegun: (call) => requestLog?.begin(call),
    requestDone: (req, res) => {
      const { call } = req;
      // Excludes the time in which the request waited for an event.
      const durationMs = performance.now() - call.startedAtMs - call.waitedMs;
      metrics.requestDone(call.operation?.operationId ?? "none", res.statusCode, durationMs / 1000);
      if (isOfUnknown(req)) {
        requestLog?.endUnknown(call);
      } else {
        const isUnlogged = unloggedAccountId !== null && call.principal?.accountId === unloggedAccountId;
        requestLog?.end(call, isUnlogged ? null : describeRequest(req, res, durationMs));
      }
      log(req, res, durationMs);
    },
    unreadableRequest: (requestId, problem, error) => {
      metrics.requestDone("none", problem.status, 0);
      logger.info(
        { requestId, operation: "none", status: problem.status, code: problem.code, parseError: error.code },
        "unreadable request",
      );
    },
    limitStoreFailed: (error) => {
      metrics.limitStoreFailed();
      logger.warn({ err: error }, "the shared rate limit store did not answer; this process counts alone");
    },
    keySetNotRead: (error) => {
      metrics.keySetNotRead();
      logger.warn({ err: error }, "the identity provider's keys could not be read; the known ones stay in force");
    },
    answerNotStored: (operationId, error) => {
      logger.warn({ operation: operationId, err: error }, "the response of an upstream was not stored under its key");
    },
    responseMismatched: (operationId, mismatch) => {
      metrics.responseMismatched(operationId);
      logger.error({ operation: operationId, err: mismatch }, "a response does not fit the document");
    },
  };
}

function lineOf({ call, method }: Request, res: Response, durationMs: number): object {
  return {
    requestId: call.requestId,
    method,
    operation: call.operation?.operationId ?? "none",
    status: res.statusCode,
    durationMs: Math.round(durationMs * 100) / 100,
    ...(call.waitedMs > 0 && { waitedMs: Math.round(call.waitedMs) }),
    ...(call.principal && namesOf(call.principal)),
    code: call.problem?.code,
    isAnswered: res.writableFinished,
  };
}

/** Whether a credential was sent that could not be looked up, so its account is unknown. */
function isOfUnknown({ call, headers }: Request): boolean {
  if (call.principal || call.refusedHolder || call.noted["require-credential"]) {
    return false;
  }
  const isCredentialSent = headers["x-api-key"] !== undefined || headers.authorization !== undefined;
  return isCredentialSent && isUnavailable(call.problem?.cause);
}

/** Ids of the caller. The secret of a credential is never logged. */
function namesOf({ accountId, credential }: Principal): object {
  return credential.kind === "apiKey"
    ? { accountId, apiKeyId: credential.apiKeyId }
    : { accountId, grantId: credential.grantId, userId: credential.userId };
}
