import type { Clock } from "@gateway/kernel";
import { Provider, type ClientMetadata } from "oidc-provider";

const keptMs = 60_000;
const maxKept = 1000;

/**
 * Keeps an application for a minute, for exchanges only, because they read its current scopes together with the token.
 * All other requests load it again, above all for its redirect URIs. Concurrent readers share one read.
 */
export function createKnownClients({
  clock,
  isExchange = isTokenRequest,
}: {
  clock: Clock;
  isExchange?: () => boolean;
}) {
  const known = new Map<string, { client: Promise<ClientMetadata | undefined>; untilMs: number }>();
  return async (
    id: string,
    load: (id: string) => Promise<ClientMetadata | undefined>,
  ): Promise<ClientMetadata | undefined> => {
    if (!isExchange()) {
      return load(id);
    }
    const found = known.get(id);
    if (found && found.untilMs > clock.now()) {
      return found.client;
    }
    const client = load(id);
    known.delete(id);
    known.set(id, { client, untilMs: clock.now() + keptMs });
    const forget = (): void => void known.delete(id);
    void client.then((loaded) => loaded ?? forget(), forget);
    if (known.size > maxKept) {
      known.delete(known.keys().next().value ?? "");
    }
    return client;
  };
}

/** The library keeps the context of each request that it handles. */
function isTokenRequest(): boolean {
  const context: { oidc?: { route?: string } } | undefined = Provider.ctx;
  return context?.oidc?.route === "token";
}
