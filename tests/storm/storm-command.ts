import { createProgress } from "@gateway/process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Promised } from "./judge.ts";

/** A storm that runs from a terminal. */
export type StormCommand<Name extends string> = {
  /** The command line, e.g. `npm run storm`. */
  command: string;
  does: string;
  /** The defaults of its numbers. The seed is random by default. */
  numbers: Readonly<Record<Name, number>>;
  /** Arguments for an example call. */
  example: string;
  /** A line that is printed at the start. */
  starts: string;
  run(numbers: Readonly<Record<Name | "seed", number>>, context: StormContext): Promise<StormResult>;
};

export type StormContext = {
  /** An empty folder, removed afterwards. */
  folder: string;
  print(line: string): void;
  /** Ends the storm early, and stops everything that it started. */
  signal: AbortSignal;
};

export type StormResult = { text: string; promises: readonly Promised[] };

/**
 * Ends the process with 0 when all promises are kept, with 1 when one is broken, and with 2 for an unknown argument.
 */
export async function runStormCommand<Name extends string>(
  storm: StormCommand<Name>,
  args: readonly string[],
): Promise<void> {
  const numbers = readNumbers(storm, args);
  if (numbers === null) {
    console.log(helpOf(storm));
    return;
  }
  console.log(
    `The seed of this storm is ${numbers.seed}. To repeat it: ${storm.command}${separatorOf(storm)} --seed ${numbers.seed}`,
  );
  const interrupt = new AbortController();
  process.once("SIGINT", () => {
    console.error("\nStopping; this waits for what it started to end. Ctrl-C again stops at once.");
    interrupt.abort();
  });
  process.once("SIGTERM", () => interrupt.abort());
  const progress = createProgress();
  progress.step(storm.starts);
  const folder = await mkdtemp(join(tmpdir(), "gateway-storm-"));
  try {
    const print = (line: string): void => {
      progress.step("The storm goes on");
      console.log(line);
    };
    const { text, promises } = await storm.run(numbers, { folder, print, signal: interrupt.signal });
    progress.end();
    console.log(text);
    process.exitCode = promises.every(({ isKept }) => isKept) ? 0 : 1;
  } catch (error) {
    if (!interrupt.signal.aborted) {
      throw error;
    }
    console.log("The storm was interrupted; everything that it started is stopped.");
    process.exitCode = 1;
  } finally {
    progress.end();
    await rm(folder, { recursive: true, force: true });
  }
}

function readNumbers<Name extends string>(
  storm: StormCommand<Name>,
  args: readonly string[],
): Record<Name | "seed", number> | null {
  const defaults: Readonly<Record<string, number>> = { ...storm.numbers, seed: randomInt(2 ** 31) };
  const named = Object.entries(defaults).map(
    ([name, value]) => [name, { type: "string", default: String(value) }] as const,
  );
  const options = { ...Object.fromEntries(named), help: { type: "boolean", short: "h", default: false } } as const;
  try {
    const { help, ...values } = parseArgs({ args: [...args], options }).values;
    // Every number has a default.
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
    return help ? null : (numbers as Record<Name | "seed", number>);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${reason}. ${storm.command}${separatorOf(storm)} --help shows the arguments.`);
    process.exit(2);
  }
}

/** Separates our arguments from npm's, which would otherwise take the first one for its own. */
function separatorOf({ command }: { command: string }): string {
  return command.includes(" -- ") ? "" : " --";
}

function helpOf<Name extends string>(storm: StormCommand<Name>): string {
  const numbers = Object.entries<number>(storm.numbers).map(([name, value]) => `  --${name} N   ${value} unless given`);
  return `Usage: ${storm.command}${separatorOf(storm)} [OPTIONS]

${storm.does}

${[...numbers, "  --seed N   a random one unless given"].join("\n")}

Example:

  ${storm.command}${separatorOf(storm)} ${storm.example}`;
}
