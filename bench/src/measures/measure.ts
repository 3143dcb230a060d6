import type { LoadGenerator } from "../load/load-generator.ts";
import type { Row } from "../row.ts";
import type { startBenchServer } from "../servers/bench-server.ts";
import type { Installation } from "../setup/installation.ts";

/** What every measure works with. */
export type MeasureContext = {
  installation: Installation;
  generator: LoadGenerator;
  /** Shortens a measure to a second or two: the shape of the row is the same, its numbers mean nothing. */
  quick: boolean;
  /** Asks a measure to end early. */
  signal: AbortSignal;
  /** What it starts is stopped when the measure ends, however it ends. */
  startServer: typeof startBenchServer;
};

export type Measure = (context: MeasureContext) => Promise<Row>;
