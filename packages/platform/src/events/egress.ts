import ipaddr from "ipaddr.js";
import { findPublicHostProblem, hostOf, isPublicAddress } from "@gateway/engine/public-host";

/**
 * Rules for the targets of webhooks. They apply at registration, before every attempt, and to every address dialled.
 */
export type EgressRules = {
  /** Names and addresses, in lower case without brackets, that need not be public. Empty in production. */
  allowedHosts: readonly string[];
};

const maxUrlLength = 2048;
const firstUnprivilegedPort = 1024;

/**
 * The fault of a webhook's URL, in words that follow "The field url …", or null. A name is not resolved here, because
 * what it resolves to may change: `resolveHost` checks it at every connect.
 */
export function findUrlProblem(url: string, { allowedHosts }: EgressRules): string | null {
  if (url.length > maxUrlLength) {
    return `must have at most ${maxUrlLength} characters`;
  }
  if (!/^https:\/\//i.test(url)) {
    return "must begin with https://";
  }
  // The parser would silently drop or rewrite these, and another program might read them otherwise.
  if (hasControlOrSpace(url) || url.includes("\\")) {
    return "must not hold spaces, control characters or backslashes";
  }
  if (!URL.canParse(url)) {
    return "must be a URL such as https://example.com/webhooks";
  }
  const parsed = new URL(url);
  if (hasUserinfo(url)) {
    return "must not hold a user name or a password";
  }
  if (parsed.port !== "" && Number(parsed.port) < firstUnprivilegedPort) {
    return `must use port 443, or one from ${firstUnprivilegedPort} up`;
  }
  const host = hostOf(parsed);
  const problem = allowedHosts.includes(host) ? null : findPublicHostProblem(host);
  return problem !== null && isOwnMachine(host) ? `${problem}. ${onOwnMachine}` : problem;
}

const onOwnMachine =
  'To receive on your own machine, follow the events (GET /api/v1/events?waitSeconds=25) or take a tunnel: see "On your own machine" in the guide on webhooks';

function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127\.|::1$|0\.0\.0\.0|10\.|192\.168\.)|\.(?:localhost|local|internal)$/.test(host);
}

export type HostResolution =
  /** Every address may be dialled. */
  | { kind: "resolved"; addresses: readonly string[] }
  /** At least one address is not public, or the name is not one of the internet. */
  | { kind: "blocked" }
  /** The name has no address. */
  | { kind: "unresolved"; cause: unknown };

/** All addresses of a name, as DNS or the machine gives them. Rejects when there is none. */
export type LookupAddresses = (host: string) => Promise<readonly string[]>;

/** One private address blocks the whole host, because a name with both kinds of addresses suggests an attack. */
export async function resolveHost(
  host: string,
  { lookup, allowedHosts }: EgressRules & { lookup: LookupAddresses },
): Promise<HostResolution> {
  const isAllowed = allowedHosts.includes(host);
  if (!isAllowed && findPublicHostProblem(host) !== null) {
    return { kind: "blocked" };
  }
  if (ipaddr.isValid(host)) {
    return { kind: "resolved", addresses: [host] };
  }
  try {
    const addresses = await lookup(host);
    if (addresses.length === 0) {
      return { kind: "unresolved", cause: new Error("The name has no address.") };
    }
    return isAllowed || addresses.every(isPublicAddress) ? { kind: "resolved", addresses } : { kind: "blocked" };
  } catch (cause) {
    return { kind: "unresolved", cause };
  }
}

function hasControlOrSpace(url: string): boolean {
  return /[\s\p{Cc}\p{Cf}]/u.test(url);
}

/** Checks the string, because the parser drops an empty user name: `https://@example.com`. */
function hasUserinfo(url: string): boolean {
  return /^https:\/\/[^/?#]*@/i.test(url);
}
