import { createProgress } from "@gateway/process";
import { availableParallelism, cpus } from "node:os";
import { help, parseArguments, type BenchArguments } from "./arguments.ts";
import { renderTable } from "./render-table.ts";
import { runBench } from "./run-bench.ts";

const args = readArguments();
if (args?.help) {
  console.log(help);
} else if (args) {
  await measure(args);
}

function readArguments(): BenchArguments | null {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
    return null;
  }
}

async function measure({ json, only, quick }: BenchArguments): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => {
    console.error("\nStopping; this waits for what it started to end. Ctrl-C again stops at once.");
    stop.abort(new Error("Interrupted."));
  });
  process.once("SIGTERM", () => stop.abort(new Error("Terminated.")));
  const progress = createProgress();
  // The table or the figures alone go to standard output.
  const onProgress = (line: string): void => (process.stderr.isTTY ? progress.step(line) : console.error(line));
  const { rows, failures } = await runBench({ only, quick, signal: stop.signal, onProgress }).finally(progress.end);
  const machine = { node: process.version, processor: cpus()[0]?.model ?? "unknown", cores: availableParallelism() };
  console.log(
    json
      ? JSON.stringify({ machine, quick, rows }, null, 2)
      : `\nNode ${machine.node}, ${machine.cores} cores, ${machine.processor}\n\n${renderTable(rows)}`,
  );
  failures.forEach((failure) => console.error(failure));
  process.exitCode = failures.length === 0 ? 0 : 1;
}
