import { availableParallelism, cpus } from "node:os";
import { parseArguments } from "./arguments.ts";
import { renderTable } from "./render-table.ts";
import { runBench } from "./run-bench.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort(new Error("Interrupted.")));
process.once("SIGTERM", () => stop.abort(new Error("Terminated.")));

try {
  const { json, ...options } = parseArguments(process.argv.slice(2));
  // The table or the figures alone go to standard output.
  const rows = await runBench({ ...options, signal: stop.signal, onProgress: (line) => console.error(line) });
  const machine = { node: process.version, processor: cpus()[0]?.model ?? "unknown", cores: availableParallelism() };
  console.log(
    json
      ? JSON.stringify({ machine, quick: options.quick, rows }, null, 2)
      : `\nNode ${machine.node}, ${machine.cores} cores, ${machine.processor}\n\n${renderTable(rows)}`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
