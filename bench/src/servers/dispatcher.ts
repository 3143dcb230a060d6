import { startDispatcher } from "@gateway/dispatcher";
import { tmpdir } from "node:os";
import { serve } from "./serve.ts";

export type DispatcherOptions = {
  databaseUrl: string;
  /** Base64, as in ENCRYPTION_KEYS. */
  encryptionKey: string;
  livemode: boolean;
};

/**
 * The product as it is deployed, but that it may send to `http:` and to this machine. Its port is that of its metrics.
 */
await serve(async ({ databaseUrl, encryptionKey, livemode }: DispatcherOptions) => {
  const dispatcher = await startDispatcher(
    {
      databaseUrl,
      directUrl: null,
      databasePool: null,
      livemode,
      encryptionKeys: [Buffer.from(encryptionKey, "base64")],
      // 0 picks a free port.
      metricsPort: 0,
      host: "127.0.0.1",
      slots: 512,
      retryTimeScale: 1,
      allowedHosts: ["127.0.0.1"],
      extraCaFiles: [],
      mail: { kind: "files", folder: tmpdir() },
      logLevel: "info",
      logFormat: "json",
    },
    { allowsPlainHttp: true },
  );
  return { port: dispatcher.metricsPort };
});
