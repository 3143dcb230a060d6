import { runProgram } from "@gateway/process";
import { gatewaySettings, readGatewayConfig } from "./config.ts";
import { startGateway } from "./start-gateway.ts";

await runProgram({
  help: {
    command: "npm run gateway",
    does: "The API: checks every request against the document, answers it, and counts it.",
    settings: gatewaySettings,
    example: "DATABASE_URL=postgres://localhost/gateway ENCRYPTION_KEYS=$(openssl rand -base64 32) npm run gateway",
  },
  stopWaitsFor: "requests in flight, for 10 s at most",
  readConfig: () => readGatewayConfig(process.env),
  start: (config) => startGateway(config),
  portsOf: ({ host, port, metricsPort }) => ({
    GATEWAY_PORT: { host, port },
    METRICS_PORT: { host, port: metricsPort },
  }),
});
