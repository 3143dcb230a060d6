import type { Schemas } from "@gateway/contract";
import { serveCaller } from "./caller.ts";

const timeoutMs = 10_000;

// By hand, and no call hangs for ever.
serveCaller(({ origin, apiKey }) => async () => {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const init = { headers: { "X-API-Key": apiKey }, signal: stop.signal };
    const response = await fetch(`${origin}/api/v1/wallets?limit=20`, init);
    const { data } = JSON.parse(await response.text()) as Schemas["WalletListEnvelope"];
    return data.length;
  } finally {
    clearTimeout(timer);
  }
});
