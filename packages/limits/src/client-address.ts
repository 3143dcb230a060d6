import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { compile } from "proxy-addr";

/** As much of an Express app as this needs. */
type App = { set(name: "trust proxy", value: unknown): unknown; request: object };

/**
 * Lets `req.ip` be what the trusted proxies in front say of the client: by their `X-Forwarded-For`, from the last entry
 * on as far as each was added by one of them. Proxies write an address in several forms, with a port (Azure, some of
 * AWS), in brackets or with a zone. Of an entry that is no address, such as `unknown`, the address of the proxy that
 * wrote it counts, so that nobody shares a bucket with the whole world.
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

/** An IPv4 or IPv6 address, without what is around it. Null for anything else. */
export function readAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const address = (bracketed ?? plain ?? text).replace(/%.*$/, "");
  return ipaddr.isValid(address) && !/^\d+$/.test(address) ? address : null;
}
