import { ChildProcessHandle, type ChildOptions } from "../setup/child-process.ts";
import type { ServerQuestion, ServerReport } from "./serve.ts";

export interface BenchServer {
  port: number;
  report(question?: ServerQuestion): Promise<ServerReport>;
  stop(): Promise<void>;
}

type ServerFile = "gateway.ts" | "bare-express.ts" | "readme-validator.ts" | "bare-postgres.ts";

/** Starts one of the servers of this folder in a process of its own; it listens on loopback when this resolves. */
export async function startBenchServer(
  file: ServerFile,
  options: object,
  child: Omit<ChildOptions, "args"> = {},
): Promise<BenchServer> {
  const handle = new ChildProcessHandle(new URL(file, import.meta.url), { ...child, args: [JSON.stringify(options)] });
  // `serve` sends the port first, and then only reports.
  const { port } = (await handle.nextMessage()) as { port: number };
  return {
    port,
    report: async (question = { collectGarbage: false }) => (await handle.ask(question)) as ServerReport,
    stop: () => handle.stop(),
  };
}
