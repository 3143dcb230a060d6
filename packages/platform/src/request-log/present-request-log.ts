import type { Schemas } from "@gateway/contract";
import type { RequestLogGap } from "./gaps.ts";
import type { RequestLog } from "./request-log.ts";
import type { Usage } from "./usage.ts";

export function presentRequestLog(request: RequestLog): Schemas["RequestLog"] {
  return {
    id: request.id,
    startedAt: request.startedAt.toISOString(),
    durationMs: request.durationMs,
    method: request.method,
    path: request.path,
    operationId: request.operationId,
    status: request.status,
    code: request.code,
    caller: request.caller,
    source: request.source,
    idempotencyReplayed: request.isReplayed,
    repeats: request.repeats,
  };
}

/** Everything that is kept of a request. Another service reports the events that it caused. */
export function presentKeptRequest(request: RequestLog): Omit<Schemas["RequestLogDetail"], "eventIds"> {
  const { query, details, rateLimit, requestBytes, responseBytes, userAgent } = request;
  return {
    ...presentRequestLog(request),
    ...{ query, details, requestBytes, responseBytes, userAgent },
    rateLimit: rateLimit && {
      limit: rateLimit.limit,
      remaining: rateLimit.remaining,
      resetsAt: rateLimit.resetsAt.toISOString(),
    },
    answered: request.isAnswered,
  };
}

export function presentRequestLogGap({ from, to, count }: RequestLogGap): Schemas["RequestLogGap"] {
  return { from: from.toISOString(), to: to.toISOString(), count };
}

export function presentUsage({ since, until, series, peakPerMinute }: Usage): Schemas["Usage"] {
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    series: series.map(({ points, ...sum }) => ({
      ...sum,
      points: points.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
    })),
    peakPerMinute,
  };
}
