/** A wildcard is every address, so its own name too. */
export function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "localhost";
  }
  return host.includes(":") ? `[${host}]` : host;
}
