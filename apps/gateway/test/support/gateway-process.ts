import { findFreePort, startScript, whenReady, type TestProcess } from "@gateway/testkit";
import { encryptionKey } from "./test-gateway.ts";

export type GatewayProcess = {
  program: TestProcess;
  port: number;
  metricsPort: number;
  /** The status of `/readyz`, or null when the process does not respond. */
  readiness(): Promise<number | null>;
};

/** A gateway in a separate process, as in production. Resolves when it is ready. */
export async function startGatewayProcess({
  databaseUrl,
  env = {},
}: {
  databaseUrl: string;
  env?: Record<string, string>;
}): Promise<GatewayProcess> {
  const port = await findFreePort();
  const metricsPort = await findFreePort();
  const program = startScript("apps/gateway/src/main.ts", [], {
    env: {
      GATEWAY_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: encryptionKey.toString("base64"),
      LOG_LEVEL: "warn",
      ...env,
    },
  });
  const readiness = (): Promise<number | null> =>
    fetch(`http://127.0.0.1:${metricsPort}/readyz`).then(
      ({ status }) => status,
      () => null,
    );
  await whenReady(program, metricsPort, { timeoutMs: 120_000 });
  return { program, port, metricsPort, readiness };
}
