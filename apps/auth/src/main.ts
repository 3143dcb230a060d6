import { runProgram } from "@gateway/process";
import { authSettings, readAuthConfig } from "./config.ts";
import { startAuth } from "./start-auth.ts";

await runProgram({
  help: {
    command: "npm run auth",
    does: "The identity provider: signs people in and gives applications their tokens.",
    settings: authSettings,
    example: "DATABASE_URL=postgres://localhost/gateway ENCRYPTION_KEYS=$(openssl rand -base64 32) npm run auth",
  },
  stopWaitsFor: "requests in flight, for 10 s at most",
  readConfig: () => readAuthConfig(process.env),
  start: (config) => startAuth(config),
  portsOf: ({ host, port, metricsPort }) => ({
    AUTH_PORT: { host, port },
    AUTH_METRICS_PORT: { host, port: metricsPort },
  }),
});
