import { runProgram } from "@gateway/process";
import { readIdentityConfig } from "./config.ts";
import { startIdentity } from "./start-identity.ts";

await runProgram({
  readConfig: () => readIdentityConfig(process.env),
  start: (config) => startIdentity(config),
  portsOf: (config) => ({ IDENTITY_PORT: config.port, IDENTITY_METRICS_PORT: config.metricsPort }),
});
