import type { EgressRules, LookupAddresses } from "@gateway/platform/events";
import { lookup, Resolver } from "node:dns/promises";

/** Two tries at each server stay well within an attempt's deadline. */
const resolverOptions = { timeout: 1_000, tries: 2 };

/**
 * Queries DNS directly, because `getaddrinfo` would read the hosts file and run on four threads. Allowed hosts use it.
 */
export function createLookupAddresses({ allowedHosts }: EgressRules): LookupAddresses {
  const resolver = new Resolver(resolverOptions);
  return async (host) => {
    if (allowedHosts.includes(host)) {
      return (await lookup(host, { all: true })).map(({ address }) => address);
    }
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [...valueOf(v4), ...valueOf(v6)];
    if (addresses.length === 0 && v4.status === "rejected") {
      throw v4.reason;
    }
    return addresses;
  };
}

function valueOf(result: PromiseSettledResult<string[]>): string[] {
  return result.status === "fulfilled" ? result.value : [];
}
