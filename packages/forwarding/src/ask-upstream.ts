import { isObject, readJson } from "./read-json.ts";
import type { ForwardableService } from "./services.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer, upstreamUnavailable } from "./upstream-fault.ts";

export type AskedInOurName = {
  accountId: string;
  target: string;
  requestId: string;
  /** Which service of ours asks. */
  by: ForwardableService;
};

/** `data` of an upstream's answer, not yet held against anything. Null: there is no such thing. In no transaction. */
export async function askUpstream(
  upstream: Pick<Upstream, "send">,
  { accountId, target, requestId, by }: AskedInOurName,
): Promise<unknown> {
  const answer = await upstream.send({
    ...{ method: "GET", target, requestId, body: null, idempotencyKey: null },
    principal: { accountId, permission: "read", credential: { kind: "service", service: by } },
  });
  if (answer.status === 429) {
    // Its own limit: who asks is counted nowhere.
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
