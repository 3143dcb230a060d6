/** The address under which this machine reaches what listens on `host`. */
export function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "127.0.0.1";
  }
  return host.includes(":") ? `[${host}]` : host;
}
