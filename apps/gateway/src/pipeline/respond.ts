import { type Problem } from "@gateway/contract";
import { maskSecrets, type AtEndOfTurn, type Clock } from "@gateway/kernel";
import { rateLimitHeaders } from "@gateway/limits";
import type { Request, Response } from "express";
import type { Call } from "./call.ts";

export function headersOf(call: Pick<Call, "requestId" | "rateLimit">): Record<string, string> {
  const headers: Record<string, string> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": call.requestId,
  };
  return call.rateLimit ? Object.assign(headers, rateLimitHeaders(call.rateLimit)) : headers;
}

/** `{ data, meta }`; a list adds `hasMore` and `nextCursor` to `meta`. */
export function successBody(call: Call, clock: Clock, result: { data: unknown; meta?: object }): object {
  return {
    data: result.data,
    meta: { requestId: call.requestId, timestamp: new Date(clock.now()).toISOString(), ...result.meta },
  };
}

/**
 * `{ error: { code, message, details?, docsUrl? }, meta: { requestId } }`. A key repeated from the request is masked.
 */
export function problemBody(requestId: string, problem: Problem, docsUrl: string | null): string {
  const { code, message, details } = problem;
  const error = {
    ...{ code, message },
    ...(details.length > 0 && { details }),
    ...(docsUrl !== null && { docsUrl: `${docsUrl}/errors/${code}` }),
  };
  return maskSecrets(JSON.stringify({ error, meta: { requestId } }));
}

export type RespondDeps = { atEndOfTurn: AtEndOfTurn };

type Answer = { status: number; body: string | Buffer; headers?: Readonly<Record<string, string>> };

/** Sends the response at the end of the turn, together with the others that are ready. */
export function respond(req: Request, res: Response, { answer, atEndOfTurn }: RespondDeps & { answer: Answer }): void {
  const headers = headersOf(req.call);
  const bytes = Buffer.byteLength(answer.body);
  headers["Content-Length"] = String(bytes);
  req.call.answer = { bytes, isReplayed: answer.headers?.["Idempotency-Replayed"] === "true" };
  res.writeHead(answer.status, answer.headers ? Object.assign(headers, answer.headers) : headers);
  // Node sends a string together with its headers. Bytes would need a second write.
  atEndOfTurn(() => res.end(answer.body));
}
