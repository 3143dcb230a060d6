import { runProgram } from "@gateway/process";
import { readAuthConfig } from "./config.ts";
import { startAuth } from "./start-auth.ts";

await runProgram({
  readConfig: () => readAuthConfig(process.env),
  start: (config) => startAuth(config),
  portsOf: ({ host, port, metricsPort }) => ({
    AUTH_PORT: { host, port },
    AUTH_METRICS_PORT: { host, port: metricsPort },
  }),
});
