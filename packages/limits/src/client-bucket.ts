import ipaddr from "ipaddr.js";

/** One bucket for an IPv4 address or an IPv6 /64, the range of one subscriber (RFC 6177). */
export function bucketOfAddress(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) {
    return "address unknown";
  }
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") {
    return `address ${parsed.toString()}`;
  }
  const network = parsed.toByteArray().slice(0, 8);
  return `address ${Buffer.from(network).toString("hex")}`;
}

/** The bucket of preflights that the pages of an address cause. */
export function bucketOfPreflights(address: string | undefined): string {
  return `preflights of ${bucketOfAddress(address)}`;
}

export function bucketOfAccount(accountId: string): string {
  return `account ${accountId}`;
}

/** The bucket of all reads by the console screens of an account, whatever the number of its people. */
export function bucketOfConsole(accountId: string): string {
  return `console of account ${accountId}`;
}
