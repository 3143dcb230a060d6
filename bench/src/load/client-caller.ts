import { createClient } from "@gateway/client";
import { serveCaller } from "./caller.ts";

serveCaller(({ origin, apiKey }) => {
  const client = createClient({ baseUrl: origin, apiKey });
  return async () => (await client.wallets.list({ limit: 20 }).page()).data.length;
});
