import { openapi, problemCodes, Problem, type EventType } from "@gateway/contract";
import { principalHeaderName, verifyUpstreamEvent, type UpstreamConfig } from "@gateway/forwarding";
import { createRequestIds, type Clock, type Logger } from "@gateway/kernel";
import { systemOrigin } from "@gateway/platform/audit";
import type { Platform } from "@gateway/platform/compose/platform";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import getRawBody from "raw-body";
import { problemOf } from "./pipeline/answer-problem.ts";
import { problemBody } from "./pipeline/respond.ts";

export const upstreamEventsPath = "/upstream/v1/events";

/** Less than the maximum size of an event, because its envelope is added. */
const maxBodyBytes = 900_000;

export type UpstreamEventsDeps = {
  upstreams: readonly UpstreamConfig[];
  platform: Platform;
  livemode: boolean;
  clock: Clock;
  logger: Logger;
};

/** Serves the operators' port. A signed report that fits the document becomes an event of the account, once. */
export function createUpstreamEvents(deps: UpstreamEventsDeps): RequestListener {
  const nextRequestId = createRequestIds(deps.clock);
  const ownerOf = eventOwners();
  return (req, res) => {
    const requestId = nextRequestId();
    take(req, { ...deps, ownerOf }).then(
      (data) => answer(res, 200, JSON.stringify({ data, meta: { requestId } })),
      (error: unknown) => {
        const problem = problemOf(error);
        deps.logger.warn(
          { requestId, code: problem.code, err: problem.cause ?? problem },
          "an upstream event was refused",
        );
        answer(res, problem.status, problemBody(requestId, problem, null));
      },
    );
  };
}

type Door = UpstreamEventsDeps & { ownerOf: ReadonlyMap<string, string> };

async function take(req: IncomingMessage, door: Door): Promise<{ id: string; isNew: boolean }> {
  if (req.method !== "POST") {
    throw new Problem("METHOD_NOT_ALLOWED", "Send events with POST.", { headers: { Allow: "POST" } });
  }
  const body = await readBody(req);
  const token = req.headers[principalHeaderName.toLowerCase()];
  const verified = await verifyUpstreamEvent(door.upstreams, {
    ...{ token: typeof token === "string" ? token : undefined, body, method: "POST", target: req.url ?? "" },
    ...{ livemode: door.livemode, nowMs: door.clock.now() },
  });
  if ("refusal" in verified) {
    throw new Problem(verified.status === 401 ? "UNAUTHENTICATED" : "INVALID_REQUEST", verified.refusal);
  }
  const { service, event } = verified;
  if (door.ownerOf.get(event.type) !== service) {
    throw new Problem("INVALID_REQUEST", `The document has no event of this type for ${service}.`);
  }
  if (!(await door.platform.accounts.get(event.accountId))) {
    throw new Problem("NOT_FOUND", "There is no such account.");
  }
  // The map has only event types of the document.
  const type = event.type as EventType;
  const { eventId, isNew } = await door.platform.inAccount(
    event.accountId,
    ({ events }) =>
      events.told.record({ accountId: event.accountId, service, toldId: event.id, type, object: event.object }),
    { emits: { by: `the upstream of ${service}`, types: [type] }, origin: systemOrigin },
  );
  return { id: eventId, isNew };
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  try {
    return await getRawBody(req, { length: req.headers["content-length"] ?? null, limit: maxBodyBytes });
  } catch (error) {
    throw error instanceof Error && "type" in error && error.type === "entity.too.large"
      ? new Problem("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, { cause: error })
      : new Problem("INVALID_REQUEST", "The body ended before it was complete.", { cause: error });
  }
}

function answer(res: ServerResponse, status: number, body: string): void {
  res
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Length": Buffer.byteLength(body),
      // The rest of an unread body would be read as the next request.
      ...(status === problemCodes.PAYLOAD_TOO_LARGE.status && { Connection: "close" }),
    })
    .end(body);
}

/** The service that owns each type of event: x-service. */
function eventOwners(): ReadonlyMap<string, string> {
  const { webhooks = {} } = openapi();
  return new Map(Object.entries(webhooks).map(([type, item]) => [type, String(item["x-service"])]));
}
