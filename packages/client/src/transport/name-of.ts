/** `api.example.com`, with its port where it has one. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).host;
}

/** A call in a message: `GET /api/v1/wallets`. Without the query, which may hold anything. */
export function nameOf({ method, url }: { method: string; url: string }): string {
  return `${method} ${url.replace(/^\w+:\/\/[^/]*|\?.*/g, "")}`;
}
