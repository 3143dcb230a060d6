import { isObject, readJson } from "./read-json.ts";
import type { ForwardableService } from "./services.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer, upstreamUnavailable } from "./upstream-fault.ts";

export type AskedInOurName = {
  accountId: string;
  target: string;
  requestId: string;
  /** The service that makes the request. */
  by: ForwardableService;
};

/** `data` of an upstream's response, not validated yet. Null on 404. Called outside transactions. */
export async function askUpstream(
  upstream: Pick<Upstream, "send">,
  { accountId, target, requestId, by }: AskedInOurName,
): Promise<unknown> {
  const answer = await upstream.send({
    ...{ method: "GET", target, requestId, body: null, idempotencyKey: null },
    principal: { accountId, permission: "read", credential: { kind: "service", service: by } },
  });
  if (answer.status === 429) {
    // The upstream's own limit, because our services are not counted by any limit.
    throw upstreamUnavailable(new Error("The upstream answered 429."));
  }
  const { data = null, error } = readJson(answer);
  if (answer.status === 404 && isObject(error) && error["code"] === "NOT_FOUND") {
    return null;
  }
  if (answer.status !== 200 || data === null) {
    throw upstreamInvalidAnswer(`The upstream returned ${answer.status} for ${target}.`);
  }
  return data;
}
