import { runProgram } from "@gateway/process";
import { readGatewayConfig } from "./config.ts";
import { startGateway } from "./start-gateway.ts";

await runProgram({
  readConfig: () => readGatewayConfig(process.env),
  start: (config) => startGateway(config),
  portsOf: (config) => ({ GATEWAY_PORT: config.port, METRICS_PORT: config.metricsPort }),
});
