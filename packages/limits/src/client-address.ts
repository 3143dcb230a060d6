import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { compile } from "proxy-addr";

/** The parts of an Express app that this function uses. */
type App = { set(name: "trust proxy", value: unknown): unknown; request: object };

/**
 * Sets `req.ip` to the client's address by the `X-Forwarded-For` of trusted proxies. It reads from the last entry, as
 * long as a trusted proxy added the entry. Proxies write an address in several forms, with a port (Azure, some of AWS),
 * in brackets or with a zone. An entry may not be an address, such as `unknown`. Then the address of the proxy that
 * wrote it counts, so that unrelated clients do not share a bucket.
 */
export function believeProxies(app: App, trustedProxies: readonly string[]): void {
  const isTrusted = compile([...trustedProxies]);
  app.set("trust proxy", isTrusted);
  Object.defineProperty(app.request, "ip", {
    configurable: true,
    enumerable: true,
    get(this: IncomingMessage): string | undefined {
      return clientAddressOf(this, isTrusted);
    },
  });
}

function clientAddressOf(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  isTrusted: (address: string, hop: number) => boolean,
): string | undefined {
  const entries = [headers["x-forwarded-for"] ?? []].flat().join().split(",").reverse();
  let address = socket.remoteAddress;
  for (const [hop, entry] of entries.entries()) {
    const next = address !== undefined && isTrusted(address, hop) ? readAddress(entry) : null;
    if (next === null) {
      return address;
    }
    address = next;
  }
  return address;
}

/** An IPv4 or IPv6 address, without its port, brackets and quotes. Null for anything else. */
export function readAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? plain ?? text).replace(/%.*$/, "");
  return ipaddr.isValid(address) && !/^\d+$/.test(address) ? address : null;
}
