/** Put in by the build; the source has no version. */
declare const clientVersion: string | undefined;

/** `gateway-client/1.2.0 node/24`. Null in a browser, where the header would need a preflight. */
export function readUserAgent(
  { userAgent = "" }: { userAgent?: string } = Object(globalThis.navigator),
): string | null {
  const version = typeof clientVersion === "undefined" ? "source" : clientVersion;
  return /^(?:Mozilla|$)/.test(userAgent) ? null : `gateway-client/${version} ${userAgent.replace("Node.js", "node")}`;
}
