import { parseTimestamp } from "@gateway/kernel";
import { askUpstream } from "./ask-upstream.ts";
import { isObject } from "./read-json.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

/** The end of an external verification in ms since 1970, or null. Called outside transactions. */
export async function readUpstreamValidUntil(
  upstream: Pick<Upstream, "send">,
  { accountId, id, requestId }: { accountId: string; id: string; requestId: string },
): Promise<number | null> {
  const target = `/api/v1/kyc-verifications/${encodeURIComponent(id)}`;
  const data = await askUpstream(upstream, { accountId, requestId, target, by: "orchestra" });
  if (data === null) {
    return null;
  }
  if (!isObject(data) || data["id"] !== id || typeof data["status"] !== "string") {
    throw upstreamInvalidAnswer("The response is not the requested verification.");
  }
  const { status, validUntil } = data;
  if (status !== "verified") {
    return null;
  }
  const untilMs = typeof validUntil === "string" ? parseTimestamp(validUntil).getTime() : Number.NaN;
  if (Number.isNaN(untilMs)) {
    throw upstreamInvalidAnswer("A verified verification has no validUntil.");
  }
  return untilMs;
}
