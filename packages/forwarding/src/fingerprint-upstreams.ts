import { hash } from "node:crypto";
import type { UpstreamConfig } from "./upstream-settings.ts";

/** 12 characters, or `none`: equal in two processes that agree on their upstreams. It does not contain secrets. */
export function fingerprintUpstreams(upstreams: readonly Pick<UpstreamConfig, "service" | "url">[]): string {
  const named = upstreams.map(({ service, url }) => `${service} ${new URL(url).origin}`).toSorted();
  return named.length === 0 ? "none" : hash("sha256", named.join("\n")).slice(0, 12);
}
