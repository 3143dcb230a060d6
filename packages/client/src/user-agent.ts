/** Put in by the build; the source has no version. */
declare const clientVersion: string | undefined;

/**
 * `gateway-client/1.2.0 node/24`, of Deno, Bun and edge runtimes too. Null in a browser, which says who it is itself,
 * and asks the gateway's leave (a preflight that is refused) for a header of ours.
 */
export function readUserAgent(
  { userAgent = "" }: { userAgent?: string } = Object(globalThis.navigator),
): string | null {
  const version = typeof clientVersion === "undefined" ? "source" : clientVersion;
  return /^(?:Mozilla|$)/.test(userAgent) ? null : `gateway-client/${version} ${userAgent.replace("Node.js", "node")}`;
}
