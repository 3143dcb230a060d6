import { readGatewayConfig } from "@gateway/gateway/config";
import { startGateway, type RunningGateway } from "@gateway/gateway";
import { createLogger, type Clock } from "@gateway/kernel";
import { findFreePort, waitFor } from "@gateway/testkit";
import { createSecretWatch } from "../../apps/auth/test/support/secret-watch.ts";
import { startTestAuth, type TestAuth } from "../../apps/auth/test/support/test-auth.ts";

export type AuthAndGateways = {
  auth: TestAuth;
  /** The base URLs of both gateways. */
  gatewayUrls: readonly string[];
  /** Lists wallets with an access token at one of the gateways. Resolves to the status. */
  listWallets(accessToken: string, gateway?: number): Promise<number>;
  /**
   * Waits until both identity providers publish the key and every gateway has read the set since. In production both
   * have 15 minutes for that.
   */
  keyIsRead(keyId: string): Promise<void>;
  stop(): Promise<void>;
};

const jwksPath = "/api/v1/jwks";
/** 5 minutes outside of tests. */
const keySetRefreshMs = 100;

/**
 * Starts two processes of the identity provider and two gateways on one database. All use `clock`, as all use the
 * database's clock in production.
 */
export async function startAuthAndGateways({
  clock,
  env = {},
}: {
  clock: Clock;
  /** Environment of the identity provider. */
  env?: Record<string, string>;
}): Promise<AuthAndGateways> {
  const watch = createSecretWatch();
  const port = await findFreePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const auth = await startTestAuth({ clock, apiUrl, watch, env, processes: 2 });
  const config = readGatewayConfig({
    DATABASE_URL: auth.databaseUrl,
    ENCRYPTION_KEYS: auth.encryptionKey.toString("base64"),
    AUTH_URL: auth.origin,
    API_URL: apiUrl,
  });
  const logger = createLogger({ name: "gateway", level: "trace", destination: watch.destination });
  const gateways: RunningGateway[] = [];
  for (const wanted of [port, 0]) {
    gateways.push(await startGateway({ ...config, port: wanted, metricsPort: 0 }, { clock, logger, keySetRefreshMs }));
  }
  const gatewayUrls = gateways.map((gateway) => `http://127.0.0.1:${gateway.port}`);
  return {
    auth,
    gatewayUrls,
    listWallets: async (accessToken, gateway = 0) => {
      const response = await fetch(`${gatewayUrls[gateway]}/api/v1/wallets`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      await response.arrayBuffer();
      return response.status;
    },
    keyIsRead: async (keyId) => {
      const isPublished = async (at: number): Promise<boolean> =>
        (await (await fetch(`http://127.0.0.1:${at}${jwksPath}`)).text()).includes(keyId);
      await waitFor(async () => (await Promise.all(auth.ports.map(isPublished))).every(Boolean));
      const countReads = () => watch.lines.filter((line) => line.includes(`"route":"${jwksPath}"`)).length;
      const before = countReads();
      // Both read at the same pace. Two reads of each are needed, because one may have been in flight already.
      await waitFor(() => countReads() >= before + 3 * gateways.length);
    },
    stop: async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop(2000)));
      // Stops last, because it searches everything that was logged.
      await auth.stop();
    },
  };
}
