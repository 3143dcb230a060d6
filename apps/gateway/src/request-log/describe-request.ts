import type { LoggedRequest, RequestCaller } from "@gateway/platform/request-log";
import type { Request, Response } from "express";
import { isOfConsole, sourceOf } from "../pipeline/call-source.ts";
import type { Call, PrincipalCredential } from "../pipeline/call.ts";
import { namesOfDocument, trimApprovedPath, trimDetails, trimPath, trimQuery } from "./trim.ts";
import { createUserAgentTrim } from "./trim-user-agent.ts";

export type DescribeRequest = (req: Request, res: Response, durationMs: number) => LoggedRequest | null;

/** Makes the stored row of a request, or null if no account sent it. Keeps no reference to the request. */
export function createDescribeRequest(): DescribeRequest {
  const trimUserAgent = createUserAgentTrim();
  const names = namesOfDocument();
  return (req, res, durationMs) => {
    const { call } = req;
    const holder = call.principal ?? call.refusedHolder;
    if (!holder) {
      return null;
    }
    const { accountId, credential } = holder;
    return {
      id: call.requestId,
      accountId,
      method: req.method,
      path: pathOf(req),
      query: call.input && trimQuery(call.input.query),
      operationId: call.operation?.operationId ?? null,
      status: res.statusCode,
      code: call.problem?.code ?? null,
      durationMs,
      caller: callerOf(credential),
      source: sourceOf(req, credential),
      isReplayed: call.answer?.isReplayed ?? false,
      isAnswered: res.writableFinished,
      details: call.problem && trimDetails(call.problem.details, names),
      rateLimit: call.rateLimit,
      requestBytes: requestBytesOf(req),
      responseBytes: call.answer?.bytes ?? null,
      userAgent: trimUserAgent(req.headers["user-agent"]),
    };
  };
}

/** Returns the path with its query. A validated request has only parameters of the document. */
function pathOf({ call, originalUrl }: { call: Call; originalUrl: string }): string {
  const queryStart = originalUrl.indexOf("?");
  const path = queryStart === -1 ? originalUrl : originalUrl.slice(0, queryStart);
  return call.approvedFor && !path.includes("%") ? trimApprovedPath(path) : trimPath(path);
}

function requestBytesOf({ call, headers }: Request): number | null {
  if (call.body) {
    return call.body.bytes.length;
  }
  const said = headers["content-length"];
  return said !== undefined && /^\d{1,9}$/.test(said) ? Number(said) : null;
}

function callerOf(credential: PrincipalCredential): RequestCaller {
  if (credential.kind === "apiKey") {
    return { kind: "apiKey", id: credential.apiKeyId, personId: null };
  }
  const { applicationId, personId } = credential;
  return isOfConsole(credential)
    ? { kind: "person", id: personId, personId }
    : { kind: "application", id: applicationId, personId };
}
