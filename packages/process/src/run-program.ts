import { DataFolderInUseError, describeDatabaseFault, EmbeddedPostgresError } from "@gateway/database";
import { answerArguments, ConfigurationError, type ProgramHelp } from "@gateway/kernel";
import { describePortFaults, type Ports } from "./ports.ts";

export type Program<Config> = {
  help: ProgramHelp;
  /** Names the work that an orderly stop waits for, for a person who presses Ctrl-C. */
  stopWaitsFor: string;
  /** Throws a ConfigurationError. */
  readConfig(): Config;
  /** Rejects after everything that it started has ended. */
  start(config: Config): Promise<RunningProgram>;
  portsOf(config: Config): Ports;
  /** Describes a fault of a database other than that of DATABASE_URL in a sentence; null for any other error. */
  describeFault?(error: unknown, config: Config): string | null;
};

type RunningProgram = {
  stop(): Promise<void>;
  /** Rejects when the program cannot continue by itself. */
  failed?: Promise<never>;
};

/** Ends the process with 0 after a signal or its help, 1 after a failure, and 2 for an unknown argument. */
export async function runProgram<Config>(
  program: Program<Config>,
  args: readonly string[] = process.argv.slice(2),
  { abandonMs = 60_000 }: { abandonMs?: number } = {},
): Promise<void> {
  const { help, stopWaitsFor, readConfig, start, portsOf, describeFault } = program;
  const answer = answerArguments(args, help);
  if (answer) {
    console[answer.exitCode === 0 ? "log" : "error"](answer.text);
    process.exitCode = answer.exitCode;
    return;
  }
  let ports: Ports = {};
  let describe: DescribeFault = describeDatabaseFault;
  try {
    const config = readConfig();
    ports = portsOf(config);
    describe = (error) => describeFault?.(error, config) ?? describeDatabaseFault(error);
    const starting = start(config);
    stopOnSignal(starting, { stopWaitsFor, abandonMs });
    const { failed } = await starting;
    await failed;
  } catch (error) {
    console.error(await explain(error, { ports, describe }));
    process.exit(1);
  }
}

/** The first signal stops in order, even during a start. A second one stops at once. A long start is abandoned. */
function stopOnSignal(
  starting: Promise<RunningProgram>,
  { stopWaitsFor, abandonMs }: { stopWaitsFor: string; abandonMs: number },
): void {
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) {
      process.exit(1);
    }
    isStopping = true;
    if (process.stderr.isTTY) {
      console.error(`\nStopping; this waits for ${stopWaitsFor}. Ctrl-C again stops at once.`);
    }
    const abandoning = setTimeout(() => {
      console.error("The start did not finish in time and was abandoned.");
      process.exit(1);
    }, abandonMs);
    // A start that fails is reported where it is awaited.
    const running = await starting.catch(() => null);
    clearTimeout(abandoning);
    await running?.stop();
    process.exit(0);
  };
  process.on("SIGINT", () => void stop());
  process.on("SIGTERM", () => void stop());
}

type DescribeFault = (error: unknown) => string | null;

/** Only the message when the operator can change the cause, else the whole error. */
async function explain(
  error: unknown,
  { ports, describe }: { ports: Ports; describe: DescribeFault },
): Promise<unknown> {
  if (
    error instanceof ConfigurationError ||
    error instanceof DataFolderInUseError ||
    error instanceof EmbeddedPostgresError
  ) {
    return error.message;
  }
  if (error instanceof Error && isOfListening(error, ports)) {
    const faults = await describePortFaults(ports);
    // A port that was taken may be free again by now.
    return faults.length > 0 ? faults.join("\n") : error.message;
  }
  return describe(error) ?? error;
}

/** An unknown host is a fault of listening only when it is ours: that of the database may be unknown too. */
function isOfListening(error: Error, ports: Ports): boolean {
  // All of these properties are optional, because only errors of the system have them.
  const { syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  return (
    syscall === "listen" || (syscall === "getaddrinfo" && Object.values(ports).some(({ host }) => host === hostname))
  );
}
