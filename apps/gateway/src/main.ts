import { runProgram } from "@gateway/process";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./start-gateway.ts";

await runProgram({
  readConfig: () => readGatewayConfig(process.env),
  start: (config) => startGateway(config),
  portsOf: ({ host, port, metricsPort }) => ({
    GATEWAY_PORT: { host, port },
    METRICS_PORT: { host, port: metricsPort },
  }),
});
