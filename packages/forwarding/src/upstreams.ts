import { createUpstream, type Upstream, type UpstreamOptions } from "./upstream.ts";
import type { UpstreamsConfig } from "./upstream-settings.ts";

export interface Upstreams {
  /** Null: the service is here. `service` as the document spells it. */
  of(service: string): Upstream | null;
  readonly all: readonly Upstream[];
  close(): Promise<void>;
}

/** Connects at the first request. */
export function createUpstreams(
  { upstreams, upstreamTimeoutMs }: UpstreamsConfig,
  options: Omit<UpstreamOptions, "timeoutMs">,
): Upstreams {
  const all = upstreams.map((config) => createUpstream(config, { ...options, timeoutMs: upstreamTimeoutMs }));
  const byService = new Map<string, Upstream>(all.map((upstream) => [upstream.service, upstream]));
  return {
    of: (service) => byService.get(service) ?? null,
    all,
    close: async () => {
      await Promise.all(all.map((upstream) => upstream.close()));
    },
  };
}
