import { createRequestIds } from "@gateway/kernel";
import { readUpstreamVerification, type UpstreamVerification } from "./read-verification.ts";
import type { Upstreams } from "./upstreams.ts";

type UpstreamPorts = {
  verifications?: { read(own: { accountId: string; id: string }): Promise<UpstreamVerification | null> };
};

/** What services of ours ask those that are somebody else's, in the shape of ports: they are asked in no transaction. */
export function upstreamPorts(upstreams: Pick<Upstreams, "of">): UpstreamPorts {
  const identity = upstreams.of("identity");
  if (identity === null) {
    return {};
  }
  const nextRequestId = createRequestIds();
  return {
    verifications: { read: (own) => readUpstreamVerification(identity, { ...own, requestId: nextRequestId() }) },
  };
}
