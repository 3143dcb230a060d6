import { hash } from "node:crypto";
import type { UpstreamConfig } from "./upstream-settings.ts";

/**
 * Which services are somebody else's, and where, in 12 characters, or `none`: the same in two processes when these
 * agree on it. Nothing of a secret is in it; where these differ, the upstream refuses.
 */
export function fingerprintUpstreams(upstreams: readonly Pick<UpstreamConfig, "service" | "url">[]): string {
  const named = upstreams.map(({ service, url }) => `${service} ${new URL(url).origin}`).toSorted();
  return named.length === 0 ? "none" : hash("sha256", named.join("\n")).slice(0, 12);
}
