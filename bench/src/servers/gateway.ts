import { startGateway } from "@gateway/gateway";
import { operationTable } from "@gateway/gateway/operations";
import { noPorts } from "@gateway/ports";
import { pageMeta, wallets } from "./wallet-page.ts";
import { serve } from "./serve.ts";

export type GatewayOptions = {
  databaseUrl: string;
  /** Base64, as in ENCRYPTION_KEYS. */
  encryptionKey: string;
  livemode: boolean;
  redisUrl: string | null;
  /** The source of the list of wallets. Everything else is the product as it is deployed. */
  page: "memory" | "database";
  /** The account whose requests are not logged. */
  unloggedAccountId?: string;
};

/** Lets the gateway accept payments. Only a worker calls the rail, and none runs with this gateway. */
const unaskedRail = {
  submit: () => Promise.reject(new Error("No worker runs here.")),
  cancel: () => Promise.reject(new Error("No worker runs here.")),
};

await serve(async ({ page, unloggedAccountId, encryptionKey, ...options }: GatewayOptions) => {
  const config = {
    ...options,
    // 0 picks free ports.
    port: 0,
    directUrl: null,
    databasePool: null,
    metricsPort: 0,
    host: "127.0.0.1",
    encryptionKeys: [Buffer.from(encryptionKey, "base64")],
    services: null,
    directPorts: {},
    portsModule: null,
    upstreams: [],
    upstreamTimeoutMs: 10_000,
    trustedProxies: [],
    docsUrl: null,
    requestLogDays: 30,
    webhookAllowedHosts: [],
    authProvider: null,
    logLevel: "info" as const,
    logFormat: "json" as const,
  };
  const fromMemory = {
    ...operationTable,
    listWallets: async () => ({ status: 200 as const, data: [...wallets], meta: pageMeta }),
  };
  const gateway = await startGateway(config, {
    ...(unloggedAccountId !== undefined && { unloggedAccountId }),
    ...(page === "memory" && { operationTable: fromMemory }),
    ...(options.livemode && { createPorts: () => ({ ...noPorts, rail: unaskedRail }) }),
  });
  return { port: gateway.port, metricsPort: gateway.metricsPort };
});
