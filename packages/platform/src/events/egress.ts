import ipaddr from "ipaddr.js";

/**
 * Where webhooks may be sent: the public internet, over HTTPS. The same rules judge a URL when it is registered, again before
 * every attempt, and every address that is dialled.
 */
export type EgressRules = {
  /**
   * Host names and addresses, in lower case and without brackets, that are not asked whether they are public. For receivers
   * in development; empty in production.
   */
  allowedHosts: readonly string[];
};

const maxUrlLength = 2048;
const firstUnprivilegedPort = 1024;

/**
 * What keeps this URL from being a webhook's, in words that follow "The field url …"; null when nothing does. A name is not
 * resolved here: what it resolves to may change, and is checked by `resolveHost` at every connect.
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
  return findHostProblem(hostOf(parsed), allowedHosts);
}

/** The host of a URL as it is dialled: in lower case, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/**
 * True for a literal IPv4 or IPv6 address of the public internet (global unicast) and for nothing else: not for what stays in
 * one machine or network, nor for addresses that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo), because a
 * gateway may unwrap them. The list is what is allowed, so a kind of address that nobody thought of is refused.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") {
    return false;
  }
  return parsed.kind() === "ipv4" ? isFourPartDecimal(address) : isGlobalUnicast(parsed as ipaddr.IPv6);
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

/**
 * The addresses to dial for a host, which is a name or a literal address. One private address among them blocks the host
 * whole: a name that answers with both kinds is trying something. Asked once for a connection, whose address must be one of these.
 */
export async function resolveHost(
  host: string,
  { lookup, allowedHosts }: EgressRules & { lookup: LookupAddresses },
): Promise<HostResolution> {
  const isAllowed = allowedHosts.includes(host);
  if (!isAllowed && findHostProblem(host, allowedHosts) !== null) {
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

/** Names that never mean a host of the internet (RFC 6761, RFC 8375, ICANN's reservation of .internal). */
const privateNames = ["localhost", "localdomain", "local", "internal", "home.arpa", "onion"];

/** `host` is the parser's: lower case, every spelling of an IPv4 address turned into four decimal numbers. */
function findHostProblem(host: string, allowedHosts: readonly string[]): string | null {
  if (allowedHosts.includes(host)) {
    return null;
  }
  if (ipaddr.isValid(host)) {
    return isPublicAddress(host) ? null : "must not name an address that is not of the public internet";
  }
  const name = host.replace(/\.$/, "");
  if (privateNames.some((reserved) => name === reserved || name.endsWith(`.${reserved}`))) {
    return "must not name a host of this machine or of a private network";
  }
  if (!isDomainName(name)) {
    return "must name a host with a full domain name, such as example.com";
  }
  return null;
}

/** At least two labels, the last one not a number: a name without a dot would be looked up in the operator's own network. */
function isDomainName(name: string): boolean {
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

function hasControlOrSpace(url: string): boolean {
  return /[\s\p{Cc}\p{Cf}]/u.test(url);
}

/** Looks at the text, because the parser forgets an empty user name: `https://@example.com`. */
function hasUserinfo(url: string): boolean {
  return /^https:\/\/[^/?#]*@/i.test(url);
}

/** `ipaddr.js` also reads `127.1` and `0x7f000001`; an address that is dialled has none of these spellings. */
function isFourPartDecimal(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address);
}

/** 2000::/3 is all that is handed out, less documentation's 3fff::/20 (RFC 9637); the other exceptions have a range of their own. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast) && !address.match(newDocumentation);
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const newDocumentation = ipaddr.IPv6.parseCIDR("3fff::/20");
