import { ConfigurationError, textSetting } from "@gateway/kernel";
import type { RequestListener } from "node:http";
import { runProgram, startServer, startWithClosers } from "../../src/index.ts";

/** A program whose first argument selects its behaviour; the others are its ports. */
const [behaviour = "", ...ports] = process.argv.slice(2);

const help = {
  command: "npm run program",
  does: "Behaves.",
  settings: { COLOUR: textSetting({ description: "Of the program", default: "" }) },
  example: "COLOUR=red npm run program",
};

await runProgram(
  {
    help,
    stopWaitsFor: "what is under way",
    readConfig: () => {
      if (behaviour === "fault") {
        throw new ConfigurationError(["COLOUR is needed"]);
      }
      return { ports: ports.map(Number) };
    },
    start: async (config) => {
      // Printed once the listeners for signals are installed.
      setImmediate(() => console.log("starting"));
      if (behaviour === "slow start") {
        await signalled();
      }
      if (behaviour === "endless start") {
        await signalled();
        await new Promise(() => {});
      }
      if (behaviour === "no database") {
        throw Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
      }
      if (behaviour === "bug") {
        throw new TypeError("undefined is no function");
      }
      const handler: RequestListener = (_req, res) => res.end();
      const closers = await startWithClosers(async (added) => {
        for (const port of config.ports) {
          const server = await startServer({ host: "127.0.0.1", port, handler });
          added.add(() => server.stop(1000));
        }
        return added;
      });
      console.log("started");
      const stop = async (): Promise<void> => {
        console.log("stopping");
        await (behaviour === "slow stop" ? new Promise(() => {}) : closers.closeAll());
        console.log("stopped");
      };
      return behaviour === "dies" ? { stop, failed: Promise.reject(new Error("died")) } : { stop };
    },
    portsOf: ({ ports }) =>
      Object.fromEntries(ports.map((port, index) => [`PROGRAM_PORT_${index + 1}`, { host: "127.0.0.1", port }])),
  },
  behaviour.startsWith("-") ? [behaviour] : [],
  behaviour === "endless start" ? { abandonMs: 0 } : {},
);

/** A listener for signals alone does not keep a process alive. */
async function signalled(): Promise<void> {
  const hold = setInterval(() => {}, 1000);
  await new Promise((resolve) => process.once("SIGTERM", resolve));
  clearInterval(hold);
}
