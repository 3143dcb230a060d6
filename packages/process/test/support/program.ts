import { ConfigurationError } from "@gateway/kernel";
import { runProgram, startServer } from "../../src/index.ts";

/** A program that behaves as its one argument says, on the port of its second. */
const [behaviour = "", port = "0"] = process.argv.slice(2);

await runProgram({
  readConfig: () => {
    if (behaviour === "fault") {
      throw new ConfigurationError(["COLOUR is needed"]);
    }
    return { port: Number(port) };
  },
  start: async (config) => {
    // Once it is said, the signals are listened for.
    setImmediate(() => console.log("starting"));
    if (behaviour === "slow start") {
      await signalled();
    }
    if (behaviour === "no database") {
      throw Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
    }
    if (behaviour === "bug") {
      throw new TypeError("undefined is no function");
    }
    const server = await startServer({ host: "127.0.0.1", port: config.port, handler: (_req, res) => res.end() });
    console.log("started");
    const stop = async (): Promise<void> => {
      console.log("stopping");
      await (behaviour === "slow stop" ? new Promise(() => {}) : server.stop(1000));
      console.log("stopped");
    };
    return behaviour === "dies" ? { stop, failed: Promise.reject(new Error("died")) } : { stop };
  },
  portsOf: (config) => ({ OTHER_PORT: config.port + 1, PROGRAM_PORT: config.port }),
});

/** A listener for signals alone does not keep a process alive. */
async function signalled(): Promise<void> {
  const hold = setInterval(() => {}, 1000);
  await new Promise((resolve) => process.once("SIGTERM", resolve));
  clearInterval(hold);
}
