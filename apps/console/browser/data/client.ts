import { createClient } from "@gateway/client";

/**
 * The client that everybody uses, through the server of this page: that adds the access token, so no script ever holds one. It waits for a
 * limit no longer than a person would.
 */
export const client = createClient({
  baseUrl: location.origin,
  accessToken: "session",
  maxRetries: 1,
  timeoutMs: 20_000,
  fetch: (url, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("Authorization");
    headers.set("X-Console", "1");
    return fetch(url, { ...init, headers });
  },
});
