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
  /** Resolves with what the pattern found in stdout; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, or null when a signal ended it. */
  exited: Promise<number | null>;
  /** To its standard input, where that is a pipe. */
  type(text: string): void;
  /** To the process and to those that it has started in its group, as a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** SIGKILL, unless it has ended. */
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
 * A real process, started in the repository with nothing of our environment but what finds programs and folders, and
 * what moves its clock. In a group of its own, so that a signal reaches the program behind npm as well.
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
 * A command at a terminal of its own, made by `script` of util-linux: both of its outputs are in `stdout`, as a person
 * sees them, and what is typed goes through the terminal, Ctrl-C as well.
 */
export function startAtTerminal(command: string, options: StartProcessOptions = {}): TestProcess {
  return startProcess("script", ["--quiet", "--return", "--flush", "--command", `exec ${command}`, "/dev/null"], {
    ...options,
    stdin: "pipe",
  });
}

/** Node itself, on a script of the repository. */
export function startScript(
  script: string,
  args: readonly string[] = [],
  options: StartProcessOptions = {},
): TestProcess {
  return startProcess(process.execPath, [script, ...args], options);
}

/** What finds programs and folders, and what `npm run test:moments` moves the clock of a process with. */
function isInherited(name: string): boolean {
  return /^(?:PATH|HOME|TMPDIR|TZ|LD_PRELOAD)$/.test(name);
}

/**
 * What each program of a test is started with, beside what the test gives it. Half of the start of a program is the
 * compilation of its modules, which all that a run starts share.
 */
export function inheritedEnvironment(): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    isInherited(name) && value ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: join(inject("testRoot"), "compiled") };
}
