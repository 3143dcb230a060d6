import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Addresses } from "../site/build-site.ts";
import { hashInputs } from "../site/hash-inputs.ts";
import { inputsFileName } from "../site/write-site.ts";

export type BackgroundBuild = {
  /** Settles when it has ended, well or not. */
  ended: Promise<void>;
  /** What went wrong, once it has. */
  failure(): string | null;
  stop(): Promise<void>;
};

const buildScript = join(import.meta.dirname, "../build.ts");

/** Builds the site when it is missing or its sources have changed since, in a process of its own, so that nothing waits for it. */
export async function startBackgroundBuild(
  { folder, addresses }: { folder: string; addresses: Addresses | null },
  print: (line: string) => void,
  script: string = buildScript,
): Promise<BackgroundBuild> {
  if (await isFresh(folder, addresses)) {
    return { ended: Promise.resolve(), failure: () => null, stop: async () => {} };
  }
  const child = spawn(process.execPath, [script, ...listOptions(folder, addresses)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid !== undefined) {
    // Whatever else this machine does goes first.
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  }
  return follow(child, print);
}

function listOptions(folder: string, addresses: Addresses | null): string[] {
  const known = addresses ? [`--gateway-url=${addresses.gatewayUrl}`, `--auth-url=${addresses.authUrl}`] : [];
  return [`--out=${folder}`, ...known];
}

async function isFresh(folder: string, addresses: Addresses | null): Promise<boolean> {
  try {
    return (await readFile(join(folder, inputsFileName), "utf8")) === (await hashInputs(addresses));
  } catch {
    // Missing, or unreadable: a build mends both.
    return false;
  }
}

/** The last words of a failed build are kept; more than that is in the output of `npm run build -w apps/docs`. */
const keptCharacters = 2_000;

function follow(child: ChildProcess, print: (line: string) => void): BackgroundBuild {
  let output = "";
  let failure: string | null = null;
  let isStopping = false;
  child.stderr?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-keptCharacters)));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = (reason: string | null): void => {
    if (reason !== null && !isStopping && failure === null) {
      failure = reason;
      print(`The documentation could not be built: ${reason}`);
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
