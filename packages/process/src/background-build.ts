import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { inputsFileName } from "./built-folder.ts";

export type BackgroundBuild = {
  /** Settles when the build has ended, successfully or not. */
  ended: Promise<void>;
  /** The reason of a failed build, else null. */
  failure(): string | null;
  stop(): Promise<void>;
};

export type BackgroundBuildOptions = {
  /** The built folder. It is fresh when it was built from `inputs`. */
  folder: string;
  /** The hash of the current sources, see `hashInputs`. */
  inputs(): Promise<string>;
  /** A program of Node that builds it, and its arguments. */
  script: string;
  args: readonly string[];
  /** For a person at the terminal: "The documentation". */
  name: string;
  print(line: string): void;
};

/** Builds a missing or stale folder in a process of its own, so that nothing waits for it. */
export async function startBuildWhenStale(options: BackgroundBuildOptions): Promise<BackgroundBuild> {
  // The folder is missing or unreadable: a build repairs both.
  if (await isFresh(options).catch(() => false)) {
    return { ended: Promise.resolve(), failure: () => null, stop: async () => {} };
  }
  const child = spawn(process.execPath, [options.script, ...options.args], { stdio: ["ignore", "ignore", "pipe"] });
  if (child.pid !== undefined) {
    // Gives way to all other programs of this machine.
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  }
  return follow(child, options);
}

async function isFresh({ folder, inputs }: BackgroundBuildOptions): Promise<boolean> {
  return (await readFile(join(folder, inputsFileName), "utf8")) === (await inputs());
}

/** The length of the kept end of a failed build's output. */
const keptCharacters = 2_000;

function follow(child: ChildProcess, { name, print }: Pick<BackgroundBuildOptions, "name" | "print">): BackgroundBuild {
  let output = "";
  let failure: string | null = null;
  let isStopping = false;
  child.stderr?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptCharacters)));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = (reason: string | null): void => {
    if (reason !== null && !isStopping && failure === null) {
      failure = reason;
      print(`${name} could not be built: ${reason}`);
    }
    resolve();
  };
  child.once("error", (error) => end(error.message));
  child.once("close", (code) => end(code === 0 ? null : output.trim() || `the build ended with ${code}`));
  return {
    ended,
    failure: () => failure,
    stop: async () => {
      isStopping = true;
      child.kill();
      await ended;
    },
  };
}
