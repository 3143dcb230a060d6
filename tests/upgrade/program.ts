import { findFreePorts, startProcess, whenReady, type TestProcess } from "@gateway/testkit";

export type Program = {
  /** The base URL of the API, if the program is a gateway. */
  url: string;
  /** Log lines of level error, and output that is not a log line. */
  complaints(): string[];
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
  destroy(): Promise<void>;
};

type StartOptions = { app: "gateway" | "dispatcher"; folder: string; env: Readonly<Record<string, string>> };

/** A program of the release in `folder`, as it is deployed. Resolves when it is ready. */
export async function startProgram({ app, folder, env }: StartOptions): Promise<Program> {
  const [port = 0, metricsPort = 0] = await findFreePorts(2);
  const process_ = startProcess(process.execPath, [`apps/${app}/src/main.ts`], {
    cwd: folder,
    env: {
      ...env,
      GATEWAY_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      DISPATCHER_METRICS_PORT: String(metricsPort),
      LOG_LEVEL: "warn",
    },
  });
  const program: Program = {
    url: `http://127.0.0.1:${port}`,
    complaints: () => complaintsOf(process_),
    stop: () => {
      process_.signal("SIGTERM");
      return process_.exited;
    },
    destroy: () => process_.destroy(),
  };
  await whenReady(process_, metricsPort, { timeoutMs: 240_000 });
  return program;
}

function complaintsOf(process_: TestProcess): string[] {
  const lines = `${process_.stdout()}\n${process_.stderr()}`.split("\n").filter((line) => line !== "");
  return lines.filter((line) => !line.startsWith("{") || /"level":"(?:error|fatal)"/.test(line));
}
