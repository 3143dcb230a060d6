/** A call in a message: `GET /api/v1/wallets`. Without the query, which may hold anything. */
export function nameOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${url.replace(/^\w+:\/\/[^/]*|\?.*/g, "")}`;
}
