import { execFile } from "node:child_process";

export type CommandOutcome = {
  code: number;
  /** Of both streams. */
  output: string;
};

/** A program of the machine to its end, however that is. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; cwd?: string; uid?: number; gid?: number } = {},
): Promise<CommandOutcome> {
  const env = { ...process.env, ...options.env };
  return new Promise((resolve) => {
    execFile(command, args, { ...options, env, timeout: 60_000 }, (error, stdout, stderr) => {
      // Its exit code, when it has one; a signal or a missing file is no success either.
      const code = error ? (typeof error.code === "number" ? error.code : -1) : 0;
      resolve({ code, output: stdout + stderr + (error && code === -1 ? error.message : "") });
    });
  });
}
