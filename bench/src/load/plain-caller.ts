import type { Schemas } from "@gateway/contract";
import { serveCaller } from "./caller.ts";

// What one would write by hand, without a thought for what may fail.
serveCaller(({ origin, apiKey }) => async () => {
  const response = await fetch(`${origin}/api/v1/wallets?limit=20`, { headers: { "X-API-Key": apiKey } });
  const { data } = JSON.parse(await response.text()) as Schemas["WalletListEnvelope"];
  return data.length;
});
