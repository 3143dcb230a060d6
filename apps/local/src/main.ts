import { describeDatabaseFault, describeEmbeddedFault } from "@gateway/database";
import { createProgress, runProgram } from "@gateway/process";
import { startSystem } from "./app.ts";
import { localSettings, portsOf, readLocalConfig } from "./config.ts";
import { welcome } from "./welcome.ts";

await runProgram({
  help: {
    command: "npm start",
    does: "Everything on this machine: Postgres, the API, the identity provider, the dispatcher, the worker, a receiver, and the documentation.",
    settings: localSettings,
    example: "GATEWAY_PORT=9080 npm start",
  },
  stopWaitsFor: "requests and deliveries in flight, then for Postgres",
  readConfig: () => readLocalConfig(process.env),
  start: async (config) => {
    const progress = createProgress();
    const print = (line: string): void => console.log(line);
    const system = await startSystem(config, { print, step: progress.step }).finally(progress.end);
    print(welcome(config, system));
    // Loaded by now.
    const { tellOfBuild } = await import("@gateway/docs");
    void tellOfBuild(system.docs, print);
    return system;
  },
  portsOf,
  describeFault: (error, { values, dataDir }) =>
    values.DATABASE_URL === null ? describeEmbeddedFault(error, dataDir) : describeDatabaseFault(error),
});
