import { parseTimestamp } from "@gateway/kernel";
import { askUpstream } from "./ask-upstream.ts";
import { isObject } from "./read-json.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

/** What those need who rely on it. `validUntil` is null of one that is not verified. */
export type UpstreamVerification = { isVerified: boolean; validUntil: Date | null };

/**
 * A verification of an identity service that is somebody else's, asked by a service of ours in its own name. Null: there is none. Called in no
 * transaction.
 */
export async function readUpstreamVerification(
  upstream: Pick<Upstream, "send">,
  { accountId, id, requestId }: { accountId: string; id: string; requestId: string },
): Promise<UpstreamVerification | null> {
  const target = `/api/v1/kyc-verifications/${encodeURIComponent(id)}`;
  const data = await askUpstream(upstream, { accountId, requestId, target, by: "orchestra" });
  if (data === null) {
    return null;
  }
  if (!isObject(data) || data["id"] !== id || typeof data["status"] !== "string") {
    throw upstreamInvalidAnswer("The answer is not the verification that was asked for.");
  }
  const { status, validUntil } = data;
  const until = typeof validUntil === "string" ? parseTimestamp(validUntil) : null;
  if (status === "verified" && (until === null || Number.isNaN(until.getTime()))) {
    throw upstreamInvalidAnswer("A verified verification has no validUntil.");
  }
  return { isVerified: status === "verified", validUntil: until };
}
