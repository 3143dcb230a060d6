/** Put in by the build; the source has no version. */
declare const clientVersion: string | undefined;

/**
 * `gateway-client/1.2.0 node/24`, and the like for Deno, Bun and edge runtimes. Null in a browser, which sends its own,
 * and would need a preflight, which is refused, for another header.
 */
export function readUserAgent(
  { userAgent = "" }: { userAgent?: string } = Object(globalThis.navigator),
): string | null {
  const version = typeof clientVersion === "undefined" ? "source" : clientVersion;
  return /^(?:Mozilla|$)/.test(userAgent) ? null : `gateway-client/${version} ${userAgent.replace("Node.js", "node")}`;
}
