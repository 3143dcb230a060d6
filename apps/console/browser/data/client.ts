import { createClient } from "gateway-api-client";

/** The client of the page. Its server adds the access token, so no script holds one. */
export const client = createClient({ baseUrl: location.origin, session: "cookie", maxRetries: 1, timeoutMs: 20_000 });
