import { startIdentity } from "@gateway/identity";
import { serve } from "./serve.ts";

export type IdentityOptions = { databaseUrl: string; encryptionKey: string; authUrl: string; apiUrl: string };

await serve(async ({ encryptionKey, ...options }: IdentityOptions) => {
  const identity = await startIdentity({
    ...options,
    // 0 picks free ports.
    port: 0,
    metricsPort: 0,
    host: "127.0.0.1",
    livemode: true,
    redisUrl: null,
    encryptionKeys: [Buffer.from(encryptionKey, "base64")],
    trustedProxies: [],
    logLevel: "info",
  });
  return { port: identity.port, metricsPort: identity.metricsPort };
});
