import { runProgram } from "@gateway/process";
import { startSystem } from "./app.ts";
import { portsOf, readLocalConfig } from "./config.ts";
import { welcome } from "./welcome.ts";

await runProgram({
  readConfig: () => readLocalConfig(process.env),
  start: async (config) => {
    const system = await startSystem(config, { print: (line) => console.log(line) });
    console.log(welcome(config, system));
    return system;
  },
  portsOf,
});
