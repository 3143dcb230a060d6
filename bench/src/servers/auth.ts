import { startAuth } from "@gateway/auth";
import { serve } from "./serve.ts";

export type AuthOptions = { databaseUrl: string; encryptionKey: string; authUrl: string; apiUrl: string };

await serve(async ({ encryptionKey, ...options }: AuthOptions) => {
  const auth = await startAuth({
    ...options,
    // 0 picks free ports.
    port: 0,
    directUrl: null,
    databasePool: null,
    metricsPort: 0,
    host: "127.0.0.1",
    livemode: true,
    redisUrl: null,
    encryptionKeys: [Buffer.from(encryptionKey, "base64")],
    trustedProxies: [],
    docsUrl: null,
    console: null,
    // The load comes from one address.
    addressLimit: 1_000_000_000,
    logLevel: "info",
    logFormat: "json",
  });
  return { port: auth.port, metricsPort: auth.metricsPort };
});
