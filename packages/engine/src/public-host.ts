import ipaddr from "ipaddr.js";

/** The host of a URL as it is dialled: in lower case, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/** The problem, worded to follow "The field url …", or null. `host` is spelled as by the URL parser. */
export function findPublicHostProblem(host: string): string | null {
  if (ipaddr.isValid(host)) {
    return isPublicAddress(host) ? null : "must name an address of the public internet";
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

/**
 * True for global unicast only. Addresses that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo) are refused,
 * because a gateway may unwrap them. The check lists what is allowed, not what is forbidden.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") {
    return false;
  }
  return parsed instanceof ipaddr.IPv6 ? isGlobalUnicast(parsed) : isFourPartDecimal(address);
}

/** Names that never mean a host of the internet (RFC 6761, RFC 8375, ICANN's reservation of .internal). */
const privateNames = ["localhost", "localdomain", "local", "internal", "home.arpa", "onion"];

/** A name without a dot would be looked up in the operator's own network. */
function isDomainName(name: string): boolean {
  const labels = name.split(".");
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

/** `ipaddr.js` also reads `127.1` and `0x7f000001`, but a dialled address has none of these spellings. */
function isFourPartDecimal(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address);
}

/** 2000::/3 without 3fff::/20 for documentation (RFC 9637). The other exceptions have a range of their own. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast) && !address.match(newDocumentation);
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
const newDocumentation = ipaddr.IPv6.parseCIDR("3fff::/20");
