import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { waitFor } from "./wait-for.ts";
import type {} from "./global-setup.ts";

export type TestProcess = {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first match of the pattern in stdout. Rejects when the process ends without a match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, or null when a signal ended it. */
  exited: Promise<number | null>;
  /** Writes to the standard input, when that is a pipe. */
  type(text: string): void;
  /** Sends the signal to the process and to all processes of its group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** Sends SIGKILL, unless the process has ended. */
  destroy(): Promise<void>;
};

export type StartProcessOptions = {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  timeoutMs?: number;
  stdin?: "ignore" | "pipe";
};

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Starts a real process in the repository. From our environment it inherits only what finds programs and folders, and
 * what moves its clock. It runs in its own process group, so that a signal also reaches the program behind npm.
 */
export function startProcess(command: string, args: readonly string[], options: StartProcessOptions = {}): TestProcess {
  const { env = {}, cwd = repository, timeoutMs = 150_000, stdin = "ignore" } = options;
  const child = spawn(command, args, {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
    detached: true,
    stdio: [stdin, "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  let hasEnded = false;
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      hasEnded = true;
      resolve(code);
    });
  });
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && !hasEnded) {
      process.kill(-child.pid, name);
    }
  };
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    printed: async (pattern) => {
      const found = await waitFor(() => pattern.exec(output.stdout) ?? (hasEnded ? "ended" : null), { timeoutMs });
      if (found === "ended") {
        throw new Error(`${command} ended without printing ${pattern}: ${output.stdout}${output.stderr}`);
      }
      return found;
    },
    exited,
    type: (text) => void child.stdin?.write(text),
    signal,
    destroy: async () => {
      signal("SIGKILL");
      await exited;
    },
  };
}

export const ctrlC = "\u{3}";

/**
 * Runs a command in a terminal of its own, with `script` of util-linux. Both outputs arrive in `stdout`, as a person
 * sees them. Input goes through the terminal, including Ctrl-C.
 */
export function startAtTerminal(command: string, options: StartProcessOptions = {}): TestProcess {
  return startProcess("script", ["--quiet", "--return", "--flush", "--command", `exec ${command}`, "/dev/null"], {
    ...options,
    stdin: "pipe",
  });
}

/** Starts Node on a script of the repository. */
export function startScript(
  script: string,
  args: readonly string[] = [],
  options: StartProcessOptions = {},
): TestProcess {
  return startProcess(process.execPath, [script, ...args], options);
}

/**
 * The variables with which programs and folders are found, and those with which `npm run test:moments` moves a
 * process's clock.
 */
function isInherited(name: string): boolean {
  return /^(?:PATH|HOME|TMPDIR|TZ|LD_PRELOAD)$/.test(name);
}

/**
 * The environment of each program that a test starts, without the variables that the test adds. Half of a program's
 * start is the compilation of its modules, so all programs of a run share one compile cache.
 */
export function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    isInherited(name) && value ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: join(inject("testRoot"), "compiled") };
}
