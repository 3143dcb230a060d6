import { runProgram } from "@gateway/process";
import { readAuthConfig } from "./config.ts";
import { startAuth } from "./start-auth.ts";

await runProgram({
  readConfig: () => readAuthConfig(process.env),
  start: (config) => startAuth(config),
  portsOf: (config) => ({ AUTH_PORT: config.port, AUTH_METRICS_PORT: config.metricsPort }),
});
