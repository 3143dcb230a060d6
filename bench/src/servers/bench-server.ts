import { ChildProcessHandle, type ChildOptions } from "../setup/child-process.ts";
import type { ServerPorts, ServerQuestion, ServerReport } from "./serve.ts";

export interface BenchServer extends ServerPorts {
  report(question?: ServerQuestion): Promise<ServerReport>;
  stop(): Promise<void>;
}

type ServerFile =
  | "gateway.ts"
  | "bare-express.ts"
  | "operation-validator.ts"
  | "readme-validator.ts"
  | "bare-postgres.ts"
  | "bare-payments.ts"
  | "dispatcher.ts"
  | "auth.ts"
  | "bare-provider.ts";

/** Starts one of the servers of this folder in a process of its own; it listens on loopback when this resolves. */
export async function startBenchServer(
  file: ServerFile,
  options: object,
  child: Omit<ChildOptions, "args"> = {},
): Promise<BenchServer> {
  const handle = new ChildProcessHandle(new URL(file, import.meta.url), { ...child, args: [JSON.stringify(options)] });
  // `serve` sends the ports first, and then only reports.
  const ports = (await handle.nextMessage()) as ServerPorts;
  return {
    ...ports,
    report: async (question = { collectGarbage: false }) => (await handle.ask(question)) as ServerReport,
    stop: () => handle.stop(),
  };
}
