import { describeDatabaseFault } from "@gateway/database";
import { runProgram } from "@gateway/process";
import { consoleProgramSettings, readConsoleConfig } from "./config.ts";
import { startConsole } from "./start-console.ts";

await runProgram({
  help: {
    command: "npm run console",
    does: "The console: serves its page, keeps its people's tokens, and hands their calls on to the API.",
    settings: consoleProgramSettings,
    example:
      "CONSOLE_DATABASE_URL=postgres://gateway_console@localhost/gateway CONSOLE_SESSION_KEYS=$(openssl rand -base64 32) CONSOLE_URL=http://127.0.0.1:8083 AUTH_URL=http://localhost:8081 API_URL=http://127.0.0.1:8080 CONSOLE_CLIENT_SECRET=... npm run console",
  },
  stopWaitsFor: "requests in flight, for 10 s at most",
  readConfig: () => readConsoleConfig(process.env),
  start: (config) => startConsole(config, { print: (line) => console.log(line) }),
  portsOf: ({ host, port, metricsPort }) => ({
    CONSOLE_PORT: { host, port },
    CONSOLE_METRICS_PORT: { host, port: metricsPort },
  }),
  describeFault: (error) => describeDatabaseFault(error, "CONSOLE_DATABASE_URL"),
});
