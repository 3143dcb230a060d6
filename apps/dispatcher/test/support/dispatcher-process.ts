import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findFreePort, inheritedEnvironment } from "@gateway/testkit";
import type { World } from "./world.ts";

export type DispatcherProcess = {
  child: ChildProcess;
  metricsPort: number;
  output(): string;
  /** Exit code or signal, when the process has ended. */
  exited: Promise<number | NodeJS.Signals | null>;
};

const script = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** A dispatcher as it is deployed; it may not work yet when this resolves. */
export async function startDispatcherProcess(
  world: World,
  env: Record<string, string> = {},
): Promise<DispatcherProcess> {
  const metricsPort = await findFreePort();
  const child = spawn(process.execPath, [script], {
    env: { ...inheritedEnvironment(), ...world.env, DISPATCHER_METRICS_PORT: String(metricsPort), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return {
    child,
    metricsPort,
    output: () => output,
    exited: new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal))),
  };
}
