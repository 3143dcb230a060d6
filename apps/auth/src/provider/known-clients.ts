import type { Clock } from "@gateway/kernel";
import { Provider, type ClientMetadata } from "oidc-provider";

const keptMs = 60_000;
const maxKept = 1000;

/**
 * Applications that exchanged a token within the last minute: an exchange reads what counts of its application together with the token,
 * its scopes and whether it is there at all. Everything else, redirect URIs above all, is read anew at each request.
 */
export function createKnownClients({ clock }: { clock: Clock }) {
  const known = new Map<string, { client: ClientMetadata; untilMs: number }>();
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
    const client = await load(id);
    known.delete(id);
    if (client) {
      known.set(id, { client, untilMs: clock.now() + keptMs });
    }
    if (known.size > maxKept) {
      known.delete(known.keys().next().value ?? "");
    }
    return client;
  };
}

/** The library keeps the context of each request of its own. */
function isExchange(): boolean {
  const context: { oidc?: { route?: string } } | undefined = Provider.ctx;
  return context?.oidc?.route === "token";
}
