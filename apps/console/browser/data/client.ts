import { createClient } from "gateway-api-client";

/**
 * The client that everybody uses, through the server of this page: that adds the access token, so no script ever
 * holds one. It waits for a limit no longer than a person would.
 */
export const client = createClient({ baseUrl: location.origin, session: "cookie", maxRetries: 1, timeoutMs: 20_000 });
